import { z } from "zod";
import type { Operation } from "./operation.ts";
import * as schema from "./schemas.ts";

const fileList = z.object({ files: z.array(schema.fileObject) });
const oneFile = z.object({ file: schema.fileObject });
const oneFolder = z.object({ folder: schema.folderObject });
const deletedIds = z.object({
  deleted: z.array(z.string()).meta({
    description: "The id of what is gone.",
    example: ["019c12a4e3b4722f9d3c1e5b7a90c4e8"],
  }),
});
const sessionAnswer = z.object({ account: schema.accountObject });

const invalidName =
  "A name that is not a single path segment of 1 to 255 bytes, an unknown visibility, or neither `name` nor `visibility`.";

/** Every operation of the service, by its id. */
export const operations = {
  // --- Files ---------------------------------------------------------------------------------------
  listFiles: {
    id: "listFiles",
    method: "GET",
    path: "/api/files",
    tag: "Files",
    summary: "List files, or fetch one",
    description:
      "Without a selector: every file. With `name`: the files of exactly that name, in all folders; none is an empty list. With `id` or `key`: one file, as `{ file }`.",
    access: "caller",
    budget: "api",
    query: schema.filesQuery,
    answer: { data: z.union([fileList, oneFile]) },
    errors: {
      400: "More than one of `id`, `key` and `name`, or a list parameter out of its range.",
      404: "No file has this id or key.",
    },
  },
  uploadFiles: {
    id: "uploadFiles",
    method: "POST",
    path: "/api/files",
    tag: "Files",
    summary: "Upload files",
    description:
      "The body is streamed to storage. All files of the request appear together once the whole request has been received and stored, or none does. Fields may come in any order; with `folder` before the files, a taken name is refused before its bytes are sent.",
    access: "caller",
    budget: "api",
    body: { multipart: schema.uploadForm },
    answer: { data: fileList },
    errors: {
      400: "No file, a file under another field than `files`, an invalid name or folder, an unknown visibility, or a malformed body.",
      409: "A name is taken in the target folder, or given twice in the request.",
      413: "A file is larger than `MAX_UPLOAD_SIZE`, or there are more than `MAX_FILES_PER_REQUEST`.",
      507: "Not enough free space on the volume.",
    },
  },
  changeFile: {
    id: "changeFile",
    method: "PUT",
    path: "/api/files",
    tag: "Files",
    summary: "Rename a file or change its visibility",
    description: "A rename changes the key, and with it the URL; URLs signed for the old key end.",
    access: "caller",
    budget: "api",
    body: { json: schema.changeFileBody },
    answer: { data: oneFile },
    errors: { 400: invalidName, 404: "No such file.", 409: "The name is taken in the folder." },
  },
  deleteFiles: {
    id: "deleteFiles",
    method: "DELETE",
    path: "/api/files",
    tag: "Files",
    summary: "Delete one file or many",
    description:
      "With `ids`, each id is handled on its own; those that name no file come back in `failed`. This cannot be undone.",
    access: "caller",
    budget: "api",
    body: { json: schema.deleteFilesBody },
    answer: { data: schema.deleteResult },
    errors: {
      400: "Neither or both of `id` and `ids`, an empty list, or more ids than `MAX_DELETE_BATCH`.",
      404: "None of the ids names a file.",
    },
  },
  signFile: {
    id: "signFile",
    method: "POST",
    path: "/api/files/sign",
    tag: "Files",
    summary: "Make a signed URL",
    description:
      "Anyone who has the URL can read the file until it expires, public or private. A single link cannot be withdrawn: it ends by itself, with a rename or the deletion of the file, or for all links at once with a new `AUTH_SECRET`.",
    access: "caller",
    budget: "api",
    body: { json: schema.signBody },
    answer: { data: schema.signedUrl },
    errors: {
      400: "Neither `id` nor `key`, both of different files, or an `expiresIn` that is not above 0.",
      404: "No such file.",
    },
  },
  downloadFile: {
    id: "downloadFile",
    method: "GET",
    path: "/api/files/download/{id}",
    tag: "Files",
    summary: "Download a file",
    access: "caller",
    budget: "api",
    parameters: { id: "The file's id." },
    answer: { file: "attachment" },
    errors: { 404: "No such file." },
  },

  // --- Hosting -------------------------------------------------------------------------------------
  hostFile: {
    id: "hostFile",
    method: "GET",
    path: "/api/hosting/{key*}",
    tag: "Hosting",
    summary: "Serve a file at its public URL",
    description:
      "Each segment of the key is percent-encoded. A private file needs a signature, an API key or a session; without one the answer is the same 404 as for a key that does not exist.",
    access: "reader",
    budget: "hosting",
    parameters: { key: "The file's key." },
    query: schema.hostingQuery,
    answer: { file: "inline" },
    errors: { 404: "No such file, or it is private and the request may not read it." },
  },

  // --- Folders -------------------------------------------------------------------------------------
  browseFolder: {
    id: "browseFolder",
    method: "GET",
    path: "/api/folders",
    tag: "Folders",
    summary: "Show a folder",
    description:
      "The folder, its files and its direct subfolders. Without `id` or `key`: the root. The list parameters apply to the files.",
    access: "caller",
    budget: "api",
    query: schema.foldersQuery,
    answer: {
      data: z.object({
        folder: schema.folderObject,
        files: z.array(schema.fileObject),
        folders: z.array(schema.folderObject),
      }),
    },
    errors: {
      400: "More than one selector, or a list parameter out of its range.",
      404: "No such folder.",
    },
  },
  createFolder: {
    id: "createFolder",
    method: "POST",
    path: "/api/folders",
    tag: "Folders",
    summary: "Create a folder",
    access: "caller",
    budget: "api",
    body: { json: schema.createFolderBody },
    answer: { data: oneFolder },
    errors: {
      400: "A segment that is `.`, `..`, too long, or has a separator or control character in it.",
      409: "The folder exists, or a file has its name.",
    },
  },
  changeFolder: {
    id: "changeFolder",
    method: "PUT",
    path: "/api/folders",
    tag: "Folders",
    summary: "Rename a folder or set the visibility of all its files",
    description:
      "A rename changes the keys of everything inside. `visibility` is set on every file in the folder and all its subfolders, in one transaction; the root is allowed. Later uploads are not affected.",
    access: "caller",
    budget: "api",
    body: { json: schema.changeFolderBody },
    answer: { data: oneFolder },
    errors: {
      400: `${invalidName} Also: renaming the root.`,
      404: "No such folder.",
      409: "The name is taken in the parent folder.",
    },
  },
  deleteFolder: {
    id: "deleteFolder",
    method: "DELETE",
    path: "/api/folders",
    tag: "Folders",
    summary: "Delete a folder with everything in it",
    description: "This cannot be undone.",
    access: "caller",
    budget: "api",
    body: { json: schema.deleteFolderBody },
    answer: { data: deletedIds },
    errors: { 400: "The root cannot be deleted.", 404: "No such folder." },
  },

  // --- API keys ------------------------------------------------------------------------------------
  listKeys: {
    id: "listKeys",
    method: "GET",
    path: "/api/keys",
    tag: "API keys",
    summary: "List API keys",
    access: "caller",
    budget: "api",
    answer: { data: z.object({ keys: z.array(schema.apiKeyObject) }) },
    errors: {},
  },
  createKey: {
    id: "createKey",
    method: "POST",
    path: "/api/keys",
    tag: "API keys",
    summary: "Create an API key",
    description: "`secret` is the key itself. It is shown this once and cannot be read again.",
    access: "caller",
    budget: "api",
    body: { json: schema.createKeyBody },
    answer: {
      data: z.object({
        key: schema.apiKeyObject,
        secret: z.string().meta({ description: "The API key itself.", example: "hd_4fTqV0Zc…" }),
      }),
    },
    errors: { 400: "No name, or an expiry out of its range." },
  },
  renameKey: {
    id: "renameKey",
    method: "PUT",
    path: "/api/keys",
    tag: "API keys",
    summary: "Rename an API key",
    access: "caller",
    budget: "api",
    body: { json: schema.renameKeyBody },
    answer: { data: z.object({ key: schema.apiKeyObject }) },
    errors: { 400: "No name.", 404: "No such key." },
  },
  revokeKey: {
    id: "revokeKey",
    method: "DELETE",
    path: "/api/keys",
    tag: "API keys",
    summary: "Revoke an API key",
    description: "It ends at once.",
    access: "caller",
    budget: "api",
    body: { json: schema.deleteKeyBody },
    answer: { data: deletedIds },
    errors: { 404: "No such key." },
  },

  // --- The administrator ---------------------------------------------------------------------------
  setup: {
    id: "setup",
    method: "POST",
    path: "/auth/setup",
    tag: "Account",
    summary: "Create the administrator's account",
    description:
      "With the token of the setup link that the first start prints. Signs in: the answer sets the session cookie.",
    access: "anyone",
    budget: "api",
    body: { json: schema.setupBody },
    answer: { data: sessionAnswer },
    errors: {
      400: "Not an email address, or a password that is too short.",
      401: "The token is wrong or has been used.",
      409: "The account exists already.",
    },
  },
  signIn: {
    id: "signIn",
    method: "POST",
    path: "/auth/sign-in",
    tag: "Account",
    summary: "Sign in",
    description: "The answer sets the session cookie. Repeated failures are answered 429.",
    access: "anyone",
    budget: "api",
    body: { json: schema.signInBody },
    answer: { data: sessionAnswer },
    errors: { 401: "The email address or the password is wrong." },
  },
  signOut: {
    id: "signOut",
    method: "POST",
    path: "/auth/sign-out",
    tag: "Account",
    summary: "Sign out",
    description: "Ends the session.",
    access: "account",
    budget: "api",
    answer: { data: z.object({}) },
    errors: {},
  },
  whoAmI: {
    id: "whoAmI",
    method: "GET",
    path: "/auth/session",
    tag: "Account",
    summary: "Who is signed in",
    access: "account",
    budget: "api",
    answer: { data: z.object({ account: schema.accountObject, session: schema.sessionObject }) },
    errors: {},
  },
  setupState: {
    id: "setupState",
    method: "GET",
    path: "/auth/setup",
    tag: "Account",
    summary: "Whether the administrator's account has yet to be created",
    access: "anyone",
    budget: "api",
    answer: {
      data: z.object({
        needed: z.boolean().meta({ description: "True until the account has been created." }),
      }),
    },
    errors: {},
  },
  listSessions: {
    id: "listSessions",
    method: "GET",
    path: "/auth/sessions",
    tag: "Account",
    summary: "List the account's sessions",
    access: "account",
    budget: "api",
    answer: { data: z.object({ sessions: z.array(schema.sessionObject) }) },
    errors: {},
  },
  endSessions: {
    id: "endSessions",
    method: "DELETE",
    path: "/auth/sessions",
    tag: "Account",
    summary: "End one session, or all others",
    access: "account",
    budget: "api",
    body: { json: schema.endSessionsBody },
    answer: {
      data: z.object({
        ended: z.int().min(0).meta({ description: "How many sessions ended.", example: 2 }),
      }),
    },
    errors: { 400: "Neither or both of `id` and `others`.", 404: "No such session." },
  },
  changePassword: {
    id: "changePassword",
    method: "PUT",
    path: "/auth/password",
    tag: "Account",
    summary: "Change the password",
    description: "Ends every session of the account; the one that asks gets a new cookie.",
    access: "account",
    budget: "api",
    body: { json: schema.changePasswordBody },
    answer: { data: sessionAnswer },
    errors: { 400: "The new password is too short.", 401: "The current password is wrong." },
  },

  // --- The service ---------------------------------------------------------------------------------
  health: {
    id: "health",
    method: "GET",
    path: "/api/health",
    tag: "Service",
    summary: "Whether the service runs",
    access: "anyone",
    budget: "api",
    answer: {
      data: z.object({
        message: z.string().meta({
          description: "A notice that names the service.",
          example: "Holdall is running.",
        }),
      }),
    },
    errors: {},
  },
  openapi: {
    id: "openapi",
    method: "GET",
    path: "/api/openapi.json",
    tag: "Service",
    summary: "This description, as OpenAPI 3.1",
    description: "The same document is at `/openapi.json` for everyone.",
    access: "caller",
    budget: "api",
    answer: { document: "application/json" },
    errors: {},
  },
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
