import { z } from "zod";
import type {
  AccountObject,
  ApiKeyObject,
  DeleteResult,
  FileObject,
  FolderObject,
  SessionObject,
  SignedUrl,
} from "./types.ts";

/*
 * Every `error` completes the sentence "`field` …", so that a refusal names what was wrong and
 * what would be right.
 */

const timestamp = z.string().meta({
  description: "UTC, `YYYY-MM-DD HH:MM:SS`.",
  example: "2026-01-31 09:30:00",
});

const FOLDER_ID = "019c12a4e3b4722f9d3c1e5b7a90c4e8";

const required = (allowed: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? `is missing: it must be ${allowed}` : `must be ${allowed}`;

const text = (allowed: string) => z.string({ error: required(allowed) });

export const visibility = z.enum(["public", "private"], {
  error: required("`public` or `private`"),
});

// --- Objects -----------------------------------------------------------------------------------

export const fileObject = z
  .object({
    id: z.string().meta({
      description: "Unique identifier of the file.",
      example: "019c12a4f5d0722f9d3c1e5b7a90c4e8",
    }),
    name: z
      .string()
      .meta({ description: "File name, unique within its folder.", example: "harbour.jpg" }),
    key: z.string().meta({
      description: "Path relative to the storage root. Determines the public URL.",
      example: "photos/2026/harbour.jpg",
    }),
    mimeType: z.string().meta({ description: "Media type.", example: "image/jpeg" }),
    size: z.int().min(0).meta({ description: "In bytes.", example: 482113 }),
    folderId: z
      .string()
      .meta({ description: "Identifier of the folder that it is in.", example: FOLDER_ID }),
    visibility,
    url: z.string().meta({
      description: "Hosting URL relative to the base URL, percent-encoded.",
      example: "api/hosting/photos/2026/harbour.jpg",
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "File" }) satisfies z.ZodType<FileObject>;

export const folderObject = z
  .object({
    id: z.string().meta({ description: "Unique identifier of the folder.", example: FOLDER_ID }),
    name: z
      .string()
      .meta({ description: "A single path segment. The root's is empty.", example: "2026" }),
    key: z.string().meta({
      description: "Path relative to the storage root. The root's is empty.",
      example: "photos/2026",
    }),
    parentId: z.string().nullable().meta({
      description: "Identifier of the folder that it is in; `null` for the root.",
      example: "019c12a4e018722f9d3c1e5b7a90c4e8",
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Folder" }) satisfies z.ZodType<FolderObject>;

export const signedUrl = z
  .object({
    url: z.string().meta({
      description: "Relative to the base URL; reads the file without credentials until it expires.",
      example: "api/hosting/report.pdf?exp=1790000000&sig=…",
    }),
    expiresAt: z.string().meta({
      description: "ISO 8601, UTC, with milliseconds.",
      example: "2026-09-21T13:33:20.000Z",
    }),
  })
  .meta({ id: "SignedUrl" }) satisfies z.ZodType<SignedUrl>;

export const deleteResult = z
  .object({
    deleted: z.array(z.string()).meta({
      description: "The ids of what is gone.",
      example: ["019c12a4f5d0722f9d3c1e5b7a90c4e8"],
    }),
    failed: z
      .array(z.object({ id: z.string(), message: z.string() }))
      .meta({ description: "The ids that could not be deleted, and why.", example: [] }),
  })
  .meta({ id: "DeleteResult" }) satisfies z.ZodType<DeleteResult>;

export const apiKeyObject = z
  .object({
    id: z.string().meta({ example: "019c12a4f5d0722f9d3c1e5b7a90c4e8" }),
    name: z.string().meta({ description: "For people, to tell keys apart.", example: "backend" }),
    prefix: z.string().meta({ description: "The key's first characters.", example: "hd_4fTq" }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: "`null`: not yet." }),
    expiresAt: timestamp.nullable().meta({ description: "`null`: never.", example: null }),
  })
  .meta({ id: "ApiKey" }) satisfies z.ZodType<ApiKeyObject>;

export const accountObject = z
  .object({
    id: z.string().meta({ example: "019c12a4f5d0722f9d3c1e5b7a90c4e8" }),
    email: z.string().meta({ example: "ada@example.com" }),
    createdAt: timestamp,
  })
  .meta({ id: "Account" }) satisfies z.ZodType<AccountObject>;

export const sessionObject = z
  .object({
    id: z.string().meta({ example: "019c12a4f5d0722f9d3c1e5b7a90c4e8" }),
    current: z.boolean().meta({ description: "True for the session that asks." }),
    userAgent: z.string().meta({
      description: "What the browser calls itself.",
      example: "Mozilla/5.0 (X11; Linux x86_64) …",
    }),
    address: z
      .string()
      .meta({ description: "The IP address that signed in.", example: "203.0.113.7" }),
    createdAt: timestamp,
    lastSeenAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: "Session" }) satisfies z.ZodType<SessionObject>;

// --- Query parameters: text that comes in, values that come out -----------------------------------

const wholeNumber = (what: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, { error: "must be a whole number of 0 or more" })
    .transform(Number)
    .meta({ description: what, override: { type: "integer", minimum: 0 } });

export const listQuery = {
  limit: wholeNumber("Most files to return. Default: all.").optional(),
  offset: wholeNumber("Files to skip. Default: 0.").optional(),
  orderBy: z
    .enum(["createdAt", "updatedAt", "name", "size"], {
      error: "must be `createdAt`, `updatedAt`, `name` or `size`",
    })
    .optional()
    .meta({ description: "Default: `createdAt`. Ties are broken by id." }),
  orderDirection: z
    .string()
    .transform((value) => value.toUpperCase())
    .pipe(z.enum(["ASC", "DESC"], { error: "must be `ASC` or `DESC`" }))
    .optional()
    .meta({
      description: "Default: `DESC`. Any case.",
      override: { type: "string", enum: ["ASC", "DESC"] },
    }),
};

const id = (what: string) => z.string().optional().meta({ description: what });

export const filesQuery = z.object({
  id: id("Fetches the one file with this id."),
  key: id("Fetches the one file with this key."),
  name: id("Lists the files with exactly this name, across all folders."),
  ...listQuery,
});

export const foldersQuery = z.object({
  id: id("Shows the folder with this id."),
  key: id("Shows the folder with this key."),
  path: id("The same as `key`."),
  ...listQuery,
});

export const hostingQuery = z.object({
  download: z
    .string()
    .optional()
    .meta({ description: "`1` serves the file as an attachment. Not part of the signature." }),
  exp: z.string().optional().meta({ description: "When the signed URL expires, in Unix seconds." }),
  sig: z.string().optional().meta({ description: "The signature of the signed URL." }),
});

// --- Bodies --------------------------------------------------------------------------------------

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
  .object({ id: oneId("a file").meta({ description: "The file's id." }), ...changes })
  .meta(oneOrMore("name", "visibility"));

export const changeFolderBody = z
  .object({ id: oneId("a folder").meta({ description: "The folder's id." }), ...changes })
  .meta(oneOrMore("name", "visibility"));

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

/** How the upload's multipart body is described; it is parsed as a stream, not by this schema. */
export const uploadForm = z.object({
  files: z
    .array(z.string().meta({ override: { type: "string", format: "binary" } }))
    .meta({ description: "One part for each file, each under the field name `files`." }),
  folder: z
    .string()
    .optional()
    .meta({ description: "Target folder. Missing folders are created. Default: the root." }),
  visibility: visibility
    .optional()
    .meta({ description: "For all files of the request. Default: `DEFAULT_FILE_VISIBILITY`." }),
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
