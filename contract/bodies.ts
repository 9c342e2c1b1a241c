import { z } from "zod";
import { eachNumber, type NumberSetting, numberSettings, visibilitySetting } from "./settings.ts";
import { required, text, visibility } from "./text.ts";

const oneId = (what: string) => text(`the id of ${what}, as text`);

const changes = {
  name: text("text").optional().meta({ description: "The new name: a single path segment." }),
  visibility: visibility.optional(),
};

/* Which fields a request needs, for the documents only: the operations check it themselves. */
const oneOrMore = (...fields: string[]) => ({
  anyOf: fields.map((field) => ({ required: [field] })),
});
const exactlyOne = (...fields: string[]) => ({
  oneOf: fields.map((field) => ({ required: [field] })),
});

export const changeFileBody = z
  .object({
    id: oneId("a file").meta({ description: "The file's id." }),
    ...changes,
    folderId: oneId("a folder")
      .optional()
      .meta({ description: "The id of the folder to move it to." }),
  })
  .meta(oneOrMore("name", "visibility", "folderId"));

export const changeFolderBody = z
  .object({
    id: oneId("a folder").meta({ description: "The folder's id." }),
    ...changes,
    parentId: oneId("a folder")
      .optional()
      .meta({ description: "The id of the folder to move it to." }),
  })
  .meta(oneOrMore("name", "visibility", "parentId"));

export const deleteFilesBody = z
  .object({
    id: oneId("a file").optional().meta({ description: "The id of the one file to delete." }),
    ids: z
      .array(oneId("a file"), { error: required("a list of file ids") })
      .optional()
      .meta({ description: "Instead of `id`: from 1 to `MAX_DELETE_BATCH` ids." }),
  })
  .meta(exactlyOne("id", "ids"));

export const deleteFolderBody = z.object({
  id: oneId("a folder").meta({ description: "The folder's id." }),
});

export const createFolderBody = z.object({
  folder: text("the path of the new folder").meta({
    description: "Path relative to the root. Missing folders on the way are created.",
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
          "Seconds of validity, clamped to `MAX_PRESIGN_TTL_SECONDS`. Default: `DEFAULT_PRESIGN_TTL_SECONDS`.",
      }),
  })
  .meta(oneOrMore("id", "key"));

const idList = (what: string, description: string) =>
  z
    .array(oneId(`a ${what}`), { error: required(`a list of ${what} ids`) })
    .optional()
    .meta({ description });

export const downloadBody = z
  .object({
    ids: idList("file", "The ids of files."),
    folderIds: idList("folder", "The ids of folders, each with everything inside."),
  })
  .meta(oneOrMore("ids", "folderIds"));

/** How the upload's multipart body is described; it is parsed as a stream, not by this schema. */
export const uploadForm = z.object({
  files: z
    .array(z.string().meta({ override: { type: "string", format: "binary" } }))
    .meta({ description: "One part for each file, each under the field name `files`." }),
  folder: z
    .string()
    .optional()
    .meta({ description: "Target folder. Missing folders are created. Default: the root." }),
  visibility: visibility.optional().meta({
    description:
      "For all files of the request. Default: `DEFAULT_FILE_VISIBILITY`; of a file that is replaced, its own.",
  }),
  onConflict: z
    .enum(["refuse", "replace", "keepBoth", "skip"], {
      error: required("`refuse`, `replace`, `keepBoth` or `skip`"),
    })
    .optional()
    .meta({
      description:
        "What becomes of a file whose name is taken in the folder; given before the files. `refuse`, the default: 409, and nothing is stored. `replace`: the file of that name gets the new content and keeps its id, its key and when it was created; a folder of that name is a 409. `keepBoth`: it is stored as `name (2).ext`, the first number that is free. `skip`: it is left out, and not among the files of the answer.",
    }),
});

const keyName = z
  .string({ error: required("a name of 1 to 100 characters") })
  .trim()
  .min(1, { error: "must be a name of 1 to 100 characters" })
  .max(100, { error: "must be a name of 1 to 100 characters" })
  .meta({ description: "For people, to tell keys apart.", example: "backend" });

export const createKeyBody = z.object({
  name: keyName,
  expiresIn: z
    .number({ error: "must be a number of seconds of 1 or more, or null" })
    .min(1, { error: "must be a number of seconds of 1 or more, or null" })
    .max(3_153_600_000, { error: "must be at most 100 years, in seconds" })
    .nullish()
    .meta({ description: "Seconds until the key expires. Default: never." }),
});

const keyId = text("the id of an API key").meta({
  description: "The key's id, not the key itself.",
});

export const renameKeyBody = z.object({ id: keyId, name: keyName });

export const deleteKeyBody = z.object({ id: keyId });

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
      .meta({ description: "The id of the one session to end." }),
    others: z
      .literal(true, { error: "must be true, or left out" })
      .optional()
      .meta({ description: "Instead of `id`: ends every session but the one that asks." }),
  })
  .meta(exactlyOne("id", "others"));

const wholeNumber = ({ from, to, unit, description }: NumberSetting) => {
  const upTo = to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`;
  const error = `must be a whole number of ${unit} ${upTo}, or null`;
  return z.int({ error }).min(from, { error }).max(to, { error }).nullish().meta({ description });
};

export const changeSettingsBody = z.object({
  defaultVisibility: z
    .enum(visibilitySetting.choices, { error: "must be `public` or `private`, or null" })
    .nullish()
    .meta({ description: visibilitySetting.description }),
  ...eachNumber((name) => wholeNumber(numberSettings[name])),
});
