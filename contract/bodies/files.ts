import { z } from "zod";
import { MAX_CHANGED_FILES } from "../max-changed-files.ts";
import { MAX_SIGNED_FILES } from "../max-signed-files.ts";
import { metadataFields } from "../metadata-fields.ts";
import { required, text, visibility } from "../text.ts";
import {
  changes,
  dryRun,
  exactlyOne,
  expiresIn,
  idList,
  keyList,
  lifetimeOf,
  METADATA,
  onConflict,
  oneId,
  oneKey,
  oneOrMore,
  targetKey,
} from "./common.ts";
import { trash } from "./trash.ts";

const fileKey = oneKey("a file")
  .optional()
  .meta({ description: "The file's key, instead of its id." });

const fileKeys = z
  .array(oneKey("a file"), { error: required("a list of file keys") })
  .optional()
  .meta({ description: "The keys of the files, instead of `ids`." });

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
    ...dryRun,
    id: oneId("a file").optional().meta({ description: "The file's id." }),
    key: fileKey,
    ids: fileIds(", to change their visibility or folder"),
    keys: fileKeys,
    ...changes,
    folderId: oneId("a folder")
      .optional()
      .meta({ description: "The id of the folder to move it or them to." }),
    folder: targetKey("folderId", "move it or them to"),
    metadata: z
      .record(z.string(), z.unknown(), { error: "must be an object, or null" })
      .nullish()
      .meta({
        description: `${METADATA} Fields that are left out stay; \`null\` removes a field, and \`metadata: null\` removes all.`,
        override: {
          type: ["object", "null"],
          ...metadataFields({ type: ["string", "null"] }),
          examples: [{ cacheControl: "public, max-age=3600", "x-author": "Ada" }],
        },
        typeName: "MetadataChange",
      }),
    ...lifetimeOf(
      "the file ends: it is then missing everywhere, and moves to the trash. A key needs the action `delete` for it",
    ),
    onConflict: onConflict.optional().meta({
      description:
        "What to do if the new name is already taken in the folder. `refuse` (default): respond 409, or with `ids`, leave the file as it is and return it in `failed`. `replace`: delete the file that has the name; a folder is refused. A key needs the action `discard` for it. `keepBoth`: name the file `name (2).ext`, with the first free number. `skip`: leave the file as it is.",
      example: "keepBoth",
    }),
    trash: z.boolean({ error: "must be true or false" }).optional().meta({
      description:
        "With `onConflict: replace`. `true`: moves the replaced files to the trash, and the response has an `undoId`. `false`: deletes them permanently. Default: the setting `trashDeletions`.",
    }),
  })
  .meta({
    allOf: [
      exactlyOne("id", "key", "ids", "keys"),
      oneOrMore(
        ...["name", "visibility", "folderId", "folder", "metadata", "expiresIn", "expiresAt"],
      ),
    ],
  });

export const copyFilesBody = z
  .object({
    ...dryRun,
    id: oneId("a file").optional().meta({ description: "The file's id." }),
    key: fileKey,
    ids: fileIds(),
    keys: fileKeys,
    folderId: oneId("a folder").optional().meta({
      description: "The id of the folder to copy to. Default: the folder that each file is in.",
    }),
    folder: targetKey("folderId", "copy to"),
    name: text("a string").optional().meta({
      description:
        "The name of the copy, with `id` or `key` only: a single path segment. Default: the same.",
    }),
    ...lifetimeOf("the copies end, which do not by default"),
    onConflict: onConflict.optional().meta({
      description:
        "What to do if a name is already taken in the folder. `refuse` (default): respond 409 and copy nothing. `replace`: give the existing file the content and metadata; it keeps its id, key and creation time, and its visibility unless the copied file is private. `keepBoth`: name the copy `name (2).ext`, with the first free number. `skip`: do not copy the file, and omit it from the response.",
      example: "keepBoth",
    }),
  })
  .meta(exactlyOne("id", "key", "ids", "keys"));

export const deleteFilesBody = z
  .object({
    ...dryRun,
    id: oneId("a file").optional().meta({ description: "The id of a single file to delete." }),
    ids: z
      .array(oneId("a file"), { error: required("a list of file ids") })
      .optional()
      .meta({ description: "The ids of 1 to `MAX_DELETE_BATCH` files, instead of `id`." }),
    key: fileKey,
    keys: fileKeys,
    trash,
  })
  .meta(exactlyOne("id", "key", "ids", "keys"));

export const signBody = z
  .object({
    id: oneId("a file").optional().meta({ description: "The file's id." }),
    key: fileKey,
    ids: z
      .array(oneId("a file"), { error: required("a list of file ids") })
      .optional()
      .meta({
        description: `The ids of 1 to ${MAX_SIGNED_FILES.toLocaleString("en")} files, instead of \`id\`.`,
      }),
    keys: fileKeys,
    expiresIn,
  })
  .meta(oneOrMore("id", "key", "ids", "keys"));

export const downloadBody = z
  .object({
    ids: idList("file", "The ids of files."),
    folderIds: idList("folder", "The ids of folders, each with everything in it."),
    keys: keyList("file", "The keys of files."),
    folders: keyList("folder", "The keys of folders. `/`: the root."),
  })
  .meta(oneOrMore("ids", "folderIds", "keys", "folders"));

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
  expiresIn: z.string().optional().meta({
    description:
      "Seconds until the files end: they are then missing everywhere, and move to the trash. `never`: they stay. Default: `expireAfter` of the folder, else the end of a replaced file.",
  }),
  expiresAt: z.string().optional().meta({ description: "The same as a time, or `never`." }),
  sha256: z.array(z.string()).optional().meta({
    description:
      "The expected SHA-256 of each file, in 64 hexadecimal digits: one field per file, in the order of the files, before or after them. If one differs, the response is 400 and nothing is stored. An empty field is not compared.",
  }),
  onConflict: onConflict.optional().meta({
    description:
      "What to do if a name is already taken in the folder. Must come before the files. `refuse` (default): respond 409 and store nothing. `replace`: give the existing file the new content; it keeps its id, key and creation time. If a folder has the name, respond 409. `keepBoth`: store the file as `name (2).ext`, with the first free number. `skip`: do not store the file, and omit it from the response.",
  }),
});
