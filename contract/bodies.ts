import { z } from "zod";
import { keyActions, keyActionTexts } from "./key-actions.ts";
import { moment } from "./moment.ts";
import {
  booleanSettings,
  eachBoolean,
  eachNumber,
  type NumberSetting,
  numberSettings,
  visibilitySetting,
} from "./settings.ts";
import { required, text, visibility } from "./text.ts";
import { trash } from "./trash-bodies.ts";

const oneId = (object: string) => text(`the id of ${object}, as a string`);

const changes = {
  name: text("a string").optional().meta({ description: "The new name: a single path segment." }),
  visibility: visibility.optional(),
};

/* Which fields a request needs. For the documentation only: the operations check it themselves. */
const oneOrMore = (...fields: string[]) => ({
  anyOf: fields.map((field) => ({ required: [field] })),
});
const exactlyOne = (...fields: string[]) => ({
  oneOf: fields.map((field) => ({ required: [field] })),
});

const METADATA =
  "Response headers of the file: `cacheControl`, `contentDisposition`, `contentLanguage`, `contentEncoding` (of `gzip`, `br`, `zstd`, `deflate`), `expires` (an HTTP date), and pairs with lower-case names `x-…`, which are sent as `X-Meta-…`. Those of S3 clients, `x-amz-meta-…`, are sent as they are. At most 32 pairs, 2,048 bytes of JSON and 1,800 bytes of headers, in which the names of pairs count twice.";

const onConflict = z.enum(["refuse", "replace", "keepBoth", "skip"], {
  error: required("`refuse`, `replace`, `keepBoth` or `skip`"),
});

/** In one request. */
export const MAX_CHANGED_FILES = 5_000;

/** `purpose` continues the description. */
const fileIds = (purpose = "") =>
  z
    .array(oneId("a file"), { error: required("a list of file ids") })
    .optional()
    .meta({
      description: `The ids of 1 to ${MAX_CHANGED_FILES.toLocaleString("en")} files, instead of \`id\`${purpose}.`,
    });

export const changeFileBody = z
  .object({
    id: oneId("a file").optional().meta({ description: "The file's id." }),
    ids: fileIds(", to change their visibility or folder"),
    ...changes,
    folderId: oneId("a folder")
      .optional()
      .meta({ description: "The id of the folder to move it or them to." }),
    metadata: z
      .record(z.string(), z.unknown(), { error: "must be an object, or null" })
      .nullish()
      .meta({
        description: `${METADATA} Fields that are left out stay; \`null\` removes a field, and \`metadata: null\` removes all.`,
        override: {
          type: ["object", "null"],
          additionalProperties: { type: ["string", "null"] },
          examples: [{ cacheControl: "public, max-age=3600", "x-author": "Ada" }],
        },
      }),
    onConflict: onConflict.optional().meta({
      description:
        "What to do if the new name is already taken in the folder. `refuse` (default): respond 409, or with `ids`, leave the file as it is and return it in `failed`. `replace`: delete the file that has the name; a folder is refused. A key needs the action `delete` for it. `keepBoth`: name the file `name (2).ext`, with the first free number. `skip`: leave the file as it is.",
      example: "keepBoth",
    }),
    trash: z.boolean({ error: "must be true or false" }).optional().meta({
      description:
        "With `onConflict: replace`. `true`: moves the replaced files to the trash, and the response has an `undoId`. `false`: deletes them for good. Default: the setting `trashDeletions`.",
    }),
  })
  .meta({
    allOf: [exactlyOne("id", "ids"), oneOrMore("name", "visibility", "folderId", "metadata")],
  });

export const changeFolderBody = z
  .object({
    id: oneId("a folder").meta({ description: "The folder's id." }),
    ...changes,
    parentId: oneId("a folder")
      .optional()
      .meta({ description: "The id of the folder to move it to." }),
    defaultVisibility: z
      .enum(["public", "private"], { error: "must be `public`, `private` or null" })
      .nullable()
      .optional()
      .meta({
        description:
          "Of later uploads to the folder and its subfolders that name no visibility. `null`: that of the parent folder again.",
      }),
    onConflict: z
      .enum(["refuse", "keepBoth", "skip"], { error: "must be `refuse`, `keepBoth` or `skip`" })
      .optional()
      .meta({
        description:
          "What to do if the new name is already taken in the parent folder. `refuse` (default): respond 409. `keepBoth`: name the folder `name (2)`, with the first free number. `skip`: leave the folder as it is.",
        example: "keepBoth",
      }),
  })
  .meta(oneOrMore("name", "visibility", "parentId", "defaultVisibility"));

export const copyFilesBody = z
  .object({
    id: oneId("a file").optional().meta({ description: "The file's id." }),
    ids: fileIds(),
    folderId: oneId("a folder").optional().meta({
      description: "The id of the folder to copy to. Default: the folder that each file is in.",
    }),
    name: text("a string").optional().meta({
      description:
        "The name of the copy, with `id` only: a single path segment. Default: the same.",
    }),
    onConflict: onConflict.optional().meta({
      description:
        "What to do if a name is already taken in the folder. `refuse` (default): respond 409 and copy nothing. `replace`: give the existing file the content and metadata; it keeps its id, key and creation time, and its visibility unless the copied file is private. `keepBoth`: name the copy `name (2).ext`, with the first free number. `skip`: do not copy the file, and omit it from the response.",
      example: "keepBoth",
    }),
  })
  .meta(exactlyOne("id", "ids"));

export const copyFolderBody = z.object({
  id: oneId("a folder").meta({ description: "The folder's id." }),
  parentId: oneId("a folder").optional().meta({
    description: "The id of the folder to copy it into. Default: its parent.",
  }),
  name: text("a string").optional().meta({
    description: "The name of the copy: a single path segment. Default: the same.",
  }),
  onConflict: onConflict.optional().meta({
    description:
      "What to do if the name is already taken in the parent folder. `refuse` (default): respond 409 and copy nothing. `keepBoth`: name the copy `name (2)`, with the first free number. `replace` and `skip`: copy into the existing folder, and replace or keep the files there whose names are taken; if a file has the folder's name, respond 409.",
    example: "keepBoth",
  }),
});

export const deleteFilesBody = z
  .object({
    id: oneId("a file").optional().meta({ description: "The id of a single file to delete." }),
    ids: z
      .array(oneId("a file"), { error: required("a list of file ids") })
      .optional()
      .meta({ description: "The ids of 1 to `MAX_DELETE_BATCH` files, instead of `id`." }),
    trash,
  })
  .meta(exactlyOne("id", "ids"));

export const deleteFolderBody = z.object({
  id: oneId("a folder").meta({ description: "The folder's id." }),
  trash,
});

export const createFolderBody = z.object({
  folder: text("the path of the new folder").meta({
    description: "Path relative to the root. Missing parent folders are created.",
    example: "photos/2026",
  }),
});

export const signBody = z
  .object({
    id: oneId("a file").optional().meta({ description: "The file's id." }),
    key: text("the key of a file")
      .optional()
      .meta({ description: "The file's key, instead of its id." }),
    expiresIn: z
      .number({ error: "must be a number of seconds greater than 0" })
      .positive({ error: "must be a number of seconds greater than 0" })
      .optional()
      .meta({
        description:
          "Validity in seconds, at most `MAX_PRESIGN_TTL_SECONDS`. Default: `DEFAULT_PRESIGN_TTL_SECONDS`.",
      }),
  })
  .meta(oneOrMore("id", "key"));

export const idList = (object: string, description: string) =>
  z
    .array(oneId(`a ${object}`), { error: required(`a list of ${object} ids`) })
    .optional()
    .meta({ description });

export const downloadBody = z
  .object({
    ids: idList("file", "The ids of files."),
    folderIds: idList("folder", "The ids of folders, each with everything in it."),
  })
  .meta(oneOrMore("ids", "folderIds"));

/** Documents the multipart body of an upload, which is parsed as a stream and not by this schema. */
export const uploadForm = z.object({
  files: z
    .array(z.string().meta({ override: { type: "string", format: "binary" } }))
    .meta({ description: "One part per file, each with the field name `files`." }),
  folder: z.string().optional().meta({
    description:
      "Target folder. Missing folders are created. Default: the root, or the folder of the API key.",
  }),
  visibility: visibility.optional().meta({
    description:
      "Visibility of all files in the request. Default: `DEFAULT_FILE_VISIBILITY`; a replaced file keeps its visibility.",
  }),
  metadata: z
    .string()
    .optional()
    .meta({
      description: `A JSON object with the metadata of all files in the request. ${METADATA} A replaced file keeps its metadata, except \`contentEncoding\`, if this field is left out or sets nothing (\`{}\`, or only \`null\` values); otherwise the given metadata replaces all of it.`,
      example: '{"cacheControl":"public, max-age=3600"}',
    }),
  sha256: z.array(z.string()).optional().meta({
    description:
      "The expected SHA-256 of each file, in 64 hexadecimal digits: one field per file, in the order of the files, before or after them. If one differs, the response is 400 and nothing is stored. An empty field is not compared.",
  }),
  onConflict: onConflict.optional().meta({
    description:
      "What to do if a name is already taken in the folder. Must come before the files. `refuse` (default): respond 409 and store nothing. `replace`: give the existing file the new content; it keeps its id, key and creation time. If a folder has the name, respond 409. `keepBoth`: store the file as `name (2).ext`, with the first free number. `skip`: do not store the file, and omit it from the response.",
  }),
});

const metadata = z
  .record(z.string(), z.unknown(), { error: "must be an object" })
  .optional()
  .meta({
    description: `${METADATA} A replaced file keeps its metadata if this field is left out.`,
    override: {
      type: "object",
      additionalProperties: { type: "string" },
      examples: [{ cacheControl: "public, max-age=3600" }],
    },
  });

const bytes = (description: string) => {
  const error = "must be a whole number of bytes";
  return z.int({ error }).min(0, { error }).optional().meta({ description, example: 734003200 });
};

export const createUploadBody = z.object({
  folder: text("the path of a folder").optional().meta({
    description:
      "Target folder. Missing folders are created. Default: the root, or the folder of the API key; in a batch, the folder of the batch.",
    example: "photos/2026",
  }),
  name: text("a file name").optional().meta({
    description: "Name of the file. Default: the sender names it.",
    example: "harbour.mov",
  }),
  size: bytes("Size of the file in bytes. Default: the sender says it."),
  maxSize: bytes("Maximum size in bytes. At most, and by default, `MAX_UPLOAD_SIZE`."),
  types: z
    .array(text("a media type"), { error: required("a list of media types") })
    .optional()
    .meta({
      description:
        "Allowed media types, such as `image/png`, or `image/*` for all images. The type of a file is that of its name's extension. Default: all.",
      example: ["video/*"],
    }),
  contentType: text("a media type").max(255, { error: "must be a media type" }).optional().meta({
    description: "Media type of the file, if its name has no known extension.",
  }),
  visibility: visibility.optional().meta({
    description:
      "Default: that of the batch, else that of a replaced file, else `DEFAULT_FILE_VISIBILITY`.",
  }),
  onConflict: onConflict.optional().meta({
    description:
      "What to do if the name is already taken when the file is complete: `refuse` (default), `replace`, `keepBoth` or `skip`. In a batch, that of the batch applies.",
  }),
  metadata,
  sha256: text("a SHA-256 digest").optional().meta({
    description:
      "The expected SHA-256 of the file, in 64 hexadecimal digits. A file with another one is not stored.",
  }),
  expiresIn: z
    .number({ error: "must be a number of seconds greater than 0" })
    .positive({ error: "must be a number of seconds greater than 0" })
    .optional()
    .meta({
      description:
        "Seconds until the upload expires, if nothing arrives before: whenever bytes arrive, it stays for `UPLOAD_EXPIRY` more. At most `MAX_PRESIGN_TTL_SECONDS`. Default: `UPLOAD_EXPIRY`.",
    }),
});

export const createBatchBody = z.object({
  folder: text("the path of a folder").optional().meta({
    description:
      "The folder that all files of the batch go into. Default: the root, or the folder of the API key.",
    example: "site",
  }),
  visibility: visibility.optional().meta({
    description:
      "Visibility of its files. Default: that of a replaced file, else `DEFAULT_FILE_VISIBILITY`.",
  }),
  onConflict: onConflict.optional().meta({
    description:
      "What to do with names that are already taken when the batch is committed: `refuse` (default), `replace`, `keepBoth` or `skip`.",
    example: "replace",
  }),
});

/** Documents the multipart body, which is parsed as a stream and not by this schema. */
export const batchForm = uploadForm.omit({ onConflict: true }).extend({
  folder: z.string().optional().meta({
    description: "Folder relative to that of the batch. Default: the folder of the batch.",
  }),
  visibility: visibility.optional().meta({
    description: "Visibility of all files in the request. Default: that of the batch.",
  }),
});

const keyName = z
  .string({ error: required("a name of 1 to 100 characters") })
  .trim()
  .min(1, { error: "must be a name of 1 to 100 characters" })
  .max(100, { error: "must be a name of 1 to 100 characters" })
  .meta({ description: "A label that identifies the key in lists.", example: "backend" });

const actionList = keyActions.map((action) => `\`${action}\``).join(", ");

export const createKeyBody = z.object({
  name: keyName,
  actions: z
    .array(z.enum(keyActions, { error: `must be one of ${actionList}` }), {
      error: required(`a list of actions, of ${actionList}`),
    })
    .min(1, { error: `must be a list with at least one of ${actionList}` })
    .optional()
    .meta({
      description: `What the key may do. ${keyActions.map((action) => `\`${action}\`: ${keyActionTexts[action]}`).join(" ")} Default: \`admin\`, or the actions of the key that creates it.`,
    }),
  folderId: oneId("a folder").optional().meta({
    description:
      "Limits the key to this folder and everything in it, also when the folder is renamed or moved. Default: all folders, or those of the key that creates it.",
  }),
  folder: text("the key of a folder").optional().meta({
    description: "The key of an existing folder, instead of its id. Not empty.",
    example: "photos",
  }),
  expiresIn: z
    .number({ error: "must be a number of seconds of at least 1, or null" })
    .min(1, { error: "must be a number of seconds of at least 1, or null" })
    .max(3_153_600_000, { error: "must be at most 100 years, in seconds" })
    .nullish()
    .meta({
      description:
        "Seconds until the key expires; `null`: never. Default: never, or when the key that creates it expires.",
    }),
});

const keyId = text("the id of an API key").meta({
  description: "The key's id, not the key itself.",
});

export const renameKeyBody = z.object({ id: keyId, name: keyName });

/** 7 days. */
const MAX_OLD_SECRET_SECONDS = 604_800;

export const rotateKeyBody = z.object({
  id: keyId,
  oldSecretExpiresIn: z
    .number({ error: "must be a number of seconds" })
    .min(0, { error: "must be a number of seconds of at least 0" })
    .max(MAX_OLD_SECRET_SECONDS, { error: "must be at most 7 days, in seconds" })
    .optional()
    .meta({
      description:
        "Seconds until the old secret stops working, at most 604800 (7 days). Default: 0, at once.",
      example: 86_400,
    }),
});

export const deleteKeyBody = z.object({ id: keyId });

export const s3CredentialsBody = z.object({ id: keyId });

const email = z
  .string({ error: required("an email address") })
  .trim()
  .toLowerCase()
  .max(254, { error: "must be an email address" })
  .regex(/^[^\s@]+@[^\s@]+$/, { error: "must be an email address" });

const newPassword = z
  .string({ error: required("a password of 8 to 256 characters") })
  .min(8, { error: "must be a password of 8 to 256 characters" })
  .max(256, { error: "must be a password of 8 to 256 characters" });

export const setupBody = z.object({
  token: text("the token of the setup link"),
  email,
  password: newPassword,
});

export const signInBody = z.object({
  email: text("an email address"),
  password: text("a password"),
  code: text("a code").optional().meta({
    description:
      "With two-step sign-in: the code that the authenticator app shows, or a recovery code.",
    example: "492039",
  }),
});

const secondFactorCode = text("a code").meta({
  description: "The code that the authenticator app shows, or a recovery code.",
  example: "492039",
});

export const enableSecondFactorBody = z.object({
  currentPassword: text("the current password"),
  secret: text("the secret").meta({
    description: "The secret from `POST /auth/second-factor/secret`.",
    example: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  }),
  code: text("a code").meta({
    description: "The code that the authenticator app shows for the secret.",
    example: "492039",
  }),
});

export const secondFactorBody = z.object({
  currentPassword: text("the current password"),
  code: secondFactorCode,
});

export const changePasswordBody = z.object({
  currentPassword: text("the current password"),
  newPassword,
});

export const changeEmailBody = z.object({
  email,
  currentPassword: text("the current password"),
});

export const endSessionsBody = z
  .object({
    id: text("the id of a session")
      .optional()
      .meta({ description: "The id of a single session to end." }),
    others: z
      .literal(true, { error: "must be true or omitted" })
      .optional()
      .meta({ description: "Ends every session except the caller's, instead of `id`." }),
  })
  .meta(exactlyOne("id", "others"));

const wholeNumber = ({ from, to, unit, description }: NumberSetting) => {
  const range = to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`;
  const error = `must be a whole number of ${unit} ${range}, or null`;
  return z.int({ error }).min(from, { error }).max(to, { error }).nullish().meta({ description });
};

export const changeSettingsBody = z.object({
  defaultVisibility: z
    .enum(visibilitySetting.choices, { error: "must be `public` or `private`, or null" })
    .nullish()
    .meta({ description: visibilitySetting.description }),
  ...eachNumber((name) => wholeNumber(numberSettings[name])),
  ...eachBoolean((name) =>
    z
      .boolean({ error: "must be true or false, or null" })
      .nullish()
      .meta({ description: booleanSettings[name].description }),
  ),
});

export const clearActivityBody = z.object({
  before: moment.optional().meta({
    description: "Deletes the entries from before this time.",
    example: "2026-01-31 09:30:00",
  }),
  all: z.literal(true, { error: "must be true, or left out" }).optional().meta({
    description: "Deletes every entry.",
  }),
});
