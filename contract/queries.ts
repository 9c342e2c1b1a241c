import { z } from "zod";
import { actions } from "./activity.ts";
import { idList, keyList, onConflict } from "./bodies/common.ts";
import { EXAMPLE_ID } from "./example.ts";
import { includable } from "./include.ts";
import { moment } from "./moment.ts";
import { imageSizes } from "./settings.ts";
import { required, text, visibility } from "./text.ts";

/* Query parameters: schemas that take strings and return values. */

const wholeNumber = (description: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, { error: "must be a whole number of 0 or more" })
    .transform(Number)
    .meta({ description, override: { type: "integer", minimum: 0 } });

/** The query parameter `dryRun` of operations that change the tree. */
export const dryRunQuery = z.object({
  dryRun: z
    .enum(["true", "false"], { error: "must be `true` or `false`" })
    .transform((value) => value === "true")
    .optional()
    .meta({
      description: "The same as `dryRun` in the body.",
      override: { type: "boolean" },
    }),
});

const cursor = z.string().optional().meta({
  description:
    "Cursor for stable paging: pages do not repeat or skip files when others are added or deleted, and every page costs the same. Empty for the first page, then the `nextCursor` of the previous page, with the same parameters. Cannot be combined with `offset`.",
});

const orderBy = (description: string) =>
  z
    .enum(["createdAt", "updatedAt", "name", "naturalName", "size", "type"], {
      error: "must be `createdAt`, `updatedAt`, `name`, `naturalName`, `size` or `type`",
    })
    .optional()
    .meta({
      description: `${description} \`name\` compares bytes: \`B\`, \`a1\`, \`a10\`, \`a2\`. \`naturalName\` ignores case and accents and compares numbers by value: \`a1\`, \`a2\`, \`a10\`, \`B\`. \`type\` is the media type. Equal values are ordered by id.`,
      typeName: "OrderBy",
    });

const orderDirection = (description: string) =>
  z
    .string()
    .transform((value) => value.toUpperCase())
    .pipe(z.enum(["ASC", "DESC"], { error: "must be `ASC` or `DESC`" }))
    .optional()
    .meta({
      description,
      override: { type: "string", enum: ["ASC", "DESC"] },
      typeName: "OrderDirection",
    });

const include = z
  .array(z.string())
  .optional()
  .meta({
    description: `Adds to each file what is named, of ${includable.map((name) => `\`${name}\``).join(", ")}. Separated by commas, or repeated.`,
    override: { type: "array", items: { type: "string", enum: [...includable] } },
  });

const listQuery = {
  limit: wholeNumber("Maximum number of files. Default: all.").optional(),
  offset: wholeNumber("Number of files to skip. Default: 0.").optional(),
  orderBy: orderBy("Field to sort by. Default: `createdAt`."),
  orderDirection: orderDirection("Default: `DESC`. Case-insensitive."),
  cursor,
  include,
};

const optionalText = (description: string) => z.string().optional().meta({ description });

export const filesQuery = z.object({
  id: optionalText("Fetches the file with this id."),
  key: optionalText("Fetches the file with this key."),
  name: optionalText("Lists the files with exactly this name, in all folders."),
  sha256: optionalText(
    "Lists the files with this SHA-256 digest: 64 hexadecimal digits. Files from before digests were stored are found once the scrub has read them.",
  ),
  ...listQuery,
});

export const oneFileQuery = z.object({
  id: optionalText("The id of the file."),
  key: optionalText("The key of the file, instead of its id."),
});

export const contentQuery = z.object({
  key: z
    .string({ error: required("the key of the file") })
    .meta({ description: "The key of the file. Missing folders are created." }),
  visibility: visibility.optional().meta({
    description:
      "The visibility of the file. Default: that of a replaced file, otherwise that of new files in the folder.",
  }),
  onConflict: onConflict.optional().meta({
    description:
      "What to do if a file has the key. `replace` (default): give it the new content; it keeps its id, key and creation time. `refuse`: respond 409. `keepBoth`: store the file as `name (2).ext`, with the first free number. `skip`: leave the file as it is and respond with it. If a folder has the key, respond 409.",
  }),
  expiresIn: optionalText("Seconds until the file ends, or `never`, as in an upload form."),
  expiresAt: optionalText("The same as a time, or `never`."),
  metadata: optionalText(
    "A JSON object with the metadata of the file, as in an upload form. Default: that of a replaced file.",
  ),
});

export const selectionQuery = z.object({
  ids: idList("file", "The id of a file. May be repeated."),
  folderIds: idList("folder", "The id of a folder, with everything in it. May be repeated."),
  keys: keyList("file", "The key of a file. May be repeated."),
  folders: keyList("folder", "The key of a folder. `/`: the root. May be repeated."),
});

const folderSelector = {
  id: optionalText("The id of the folder."),
  folder: optionalText("The key of the folder, instead of its id."),
  key: optionalText("Alias of `folder`."),
  path: optionalText("Alias of `folder`."),
};

export const foldersQuery = z.object({
  ...folderSelector,
  ...listQuery,
  peek: z.enum(["0", "1"], { error: "must be `0` or `1`" }).optional().meta({
    description: "`1` adds the first files of each subfolder, at most four. Default: `0`.",
  }),
  hasFolders: z.enum(["0", "1"], { error: "must be `0` or `1`" }).optional().meta({
    description: "`1` adds to each subfolder whether it has subfolders. Default: `0`.",
  }),
});

export const folderDownloadQuery = z.object(folderSelector);

const pageSize = (defaultSize: number, max: number) => {
  const error = `must be a whole number from 1 to ${max}`;
  return z
    .string()
    .regex(/^\d{1,6}$/, { error })
    .transform(Number)
    .pipe(z.number().min(1, { error }).max(max, { error }))
    .optional()
    .meta({
      description: `Maximum number of results. Default: ${defaultSize}.`,
      override: { type: "integer", minimum: 1, maximum: max },
    });
};

export const trashQuery = z.object({
  undoId: optionalText("Only what this deletion moved to the trash."),
  limit: pageSize(50, 1000),
  cursor: z.string().optional().meta({
    description:
      "The `nextCursor` of the previous page, with the same `undoId`. Empty for the first page.",
  }),
});

export const versionsQuery = oneFileQuery.extend({
  limit: pageSize(50, 1000),
  cursor: z.string().optional().meta({
    description:
      "The `nextCursor` of the previous page, with the same `id` or `key`. Empty for the first page.",
  }),
});

export const versionQuery = z.object({
  id: text("the id of a version").meta({ description: "The version's id." }),
  download: z.string().optional().meta({ description: "`1` serves it as an attachment." }),
});

export const hostingQuery = z.object({
  download: z
    .string()
    .optional()
    .meta({ description: "`1` serves the file as an attachment. Not covered by the signature." }),
  size: z
    .enum(imageSizes, { error: `must be one of ${imageSizes.join(", ")}` })
    .optional()
    .meta({
      description:
        "Serves a JPEG, PNG, WebP or GIF image in a smaller size, as WebP, or as JPEG or PNG if `Accept` does not name `image/webp`. Not covered by the signature.",
    }),
  v: z.string().optional().meta({
    description:
      "The version of a lasting URL: 16 lower-case hexadecimal digits. If it is that of a public file, caches may keep the response for a year. If it is another one, the response is a redirect to the current one. Anything else is ignored.",
  }),
  exp: z.string().optional().meta({ description: "Expiry of the signed URL, in Unix seconds." }),
  sig: z.string().optional().meta({ description: "The signature of the signed URL." }),
});

const optionalMoment = (description: string) =>
  moment.optional().meta({
    description,
    override: { type: "string", format: "date-time" },
  });

export const activityQuery = z.object({
  limit: pageSize(50, 200),
  cursor,
  action: z
    .enum(actions, { error: `must be one of ${actions.join(", ")}` })
    .optional()
    .meta({ description: "Only entries with this action." }),
  actor: optionalText("Only entries of the API key or the account with this id."),
  subject: optionalText(
    "Only entries about the file, folder, API key or link with this id. An entry about several files names one of them.",
  ),
  outcome: z
    .enum(["done", "failed"], { error: "must be `done` or `failed`" })
    .optional()
    .meta({ description: "Only successful or only failed requests." }),
  since: optionalMoment("Only entries from this time on."),
  until: optionalMoment("Only entries before this time."),
  q: z
    .string()
    .min(1, { error: "must be the text to search for" })
    .max(255, { error: "must be at most 255 characters long" })
    .optional()
    .meta({
      description:
        "Only entries with this text in the subject's key or name, the caller's name or the address, as `q` of the search. With a key with a folder: in the subject's key.",
    }),
  format: z
    .enum(["csv", "ndjson"], { error: "must be `csv` or `ndjson`" })
    .optional()
    .meta({ description: "Sends all entries as a table, instead of `Accept`." }),
});

export const linksQuery = z.object({
  limit: pageSize(50, 200),
  cursor: optionalText("The `nextCursor` of the previous page, with the same parameters."),
  fileId: optionalText("Only links to the file with this id."),
  folderId: optionalText("Only links to the folder with this id."),
  key: optionalText("Only links to the file with this key."),
  folder: optionalText("Only links to the folder with this key."),
  includeRevoked: z
    .enum(["0", "1"], { error: "must be `0` or `1`" })
    .optional()
    .meta({ description: "`1` lists revoked links too." }),
});

export const deliveriesQuery = z.object({
  id: z
    .string({ error: required("the id of a webhook") })
    .meta({ description: "Identifier of the webhook.", example: EXAMPLE_ID }),
  limit: pageSize(50, 200),
  cursor: optionalText("The `nextCursor` of the previous page."),
});

export const searchQuery = z.object({
  q: z
    .string({ error: required("the text to search for") })
    .min(1, { error: "must be the text to search for" })
    .max(255, { error: "must be at most 255 characters long" })
    .meta({
      description:
        "Part of a name, in upper or lower case, with or without accents: `eclair` finds `Éclair.txt`. With `*`, the whole name, where each `*` stands for any text: `*.pdf`.",
      example: "harbour",
    }),
  folderId: optionalText(
    "Searches this folder and its subfolders. Default: all folders that the caller may see.",
  ),
  folder: optionalText("The key of the folder, instead of `folderId`."),
  type: z
    .string()
    .regex(/^[\w.+-]+\/(?:\*|[\w.+-]+)$/, {
      error: "must be a media type such as `application/pdf`, or a group such as `image/*`",
    })
    .optional()
    .meta({ description: "Only files of this media type, or of a group such as `image/*`." }),
  visibility: visibility.optional().meta({ description: "Only public or only private files." }),
  minSize: wholeNumber("Only files of at least this many bytes.").optional(),
  maxSize: wholeNumber("Only files of at most this many bytes.").optional(),
  updatedSince: optionalMoment("Only files that were changed at this time or later."),
  updatedUntil: optionalMoment("Only files that were changed before this time."),
  orderBy: orderBy(
    "Field to sort the files by. Default: the key of their folder and their name, which is the fastest.",
  ),
  orderDirection: orderDirection("Only with `orderBy`. Default: `DESC`. Case-insensitive."),
  includeTotal: z
    .enum(["0", "1"], { error: "must be `0` or `1`" })
    .optional()
    .meta({ description: "`1` counts the results of all pages, up to 10,000." }),
  include,
  limit: pageSize(50, 1000),
  cursor: z.string().optional().meta({
    description:
      "The `nextCursor` of the previous page, with the same text, folder, filters and order. Empty for the first page.",
  }),
});

export const changesQuery = z.object({
  since: optionalText(
    "A `cursor` of this operation: lists the changes after it. Without it the list is empty. In a stream, the header `Last-Event-ID` takes precedence.",
  ),
  folder: optionalText(
    "The id or the key of a folder: only changes of it and of what is in it, at any depth. Something moved out of it appears as deleted, something moved into it as created.",
  ),
  limit: pageSize(100, 1000),
});

/** In one request: proxies limit the length of a URL, nginx to 8 KB. */
export const MAX_MEASURED_FOLDERS = 150;

export const folderSizeQuery = z.object({
  ...folderSelector,
  ids: idList(
    "folder",
    `The id of a folder, instead of \`id\`. May be repeated up to ${MAX_MEASURED_FOLDERS} times: the result has the size of each folder in \`each\`, and the sum, in which a folder inside another one counts once.`,
  ),
});

export const quotasQuery = z.object(folderSelector);

export const folderVisibilityQuery = z.object(folderSelector);

export const overviewQuery = z.object({
  period: z
    .enum(["day", "week", "month"], { error: "must be `day`, `week` or `month`" })
    .optional()
    .meta({ description: "Period of the traffic. Default: `day`.", typeName: "Period" }),
});
