import { z } from "zod";
import * as bodies from "../bodies.ts";
import * as objects from "../objects.ts";
import type { Operation } from "../operation.ts";
import * as queries from "../queries.ts";
import { invalidName, nextCursor } from "./shared.ts";

const fileList = z.object({ files: z.array(objects.fileObject) });
const filePage = fileList.extend({ nextCursor: nextCursor.optional() });
const oneFile = z.object({ file: objects.fileObject });

/** Files, and the public URLs that serve them. */
export const fileOperations = {
  listFiles: {
    id: "listFiles",
    method: "GET",
    path: "/api/files",
    tag: "Files",
    summary: "List files, or fetch one",
    description:
      "Without a selector: every file. With `name`: the files of exactly that name, in all folders; none is an empty list. With `id` or `key`: one file, as `{ file }`. A list that is asked for with `cursor` also has `nextCursor`.",
    access: "caller",
    budget: "api",
    query: queries.filesQuery,
    answer: { data: z.union([filePage, oneFile]) },
    errors: {
      400: "More than one of `id`, `key` and `name`, a list parameter out of its range, or a cursor of another list or order.",
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
      "The body is streamed to storage. All files of the request appear together once the whole request has been received and stored, or none does. Fields may come in any order; with `folder` before the files, a taken name is refused before its bytes are sent. With `onConflict`, names that are taken are no failure: it is decided together with everything else, so that whatever fails leaves the old files as they were.",
    access: "caller",
    budget: "api",
    body: { multipart: bodies.uploadForm },
    answer: { data: fileList },
    errors: {
      400: "No file, a file under another field than `files`, an invalid name or folder, an unknown visibility, or a malformed body.",
      409: "A name is taken in the target folder and `onConflict` is not given, or given twice in the request.",
      413: "A file is larger than `MAX_UPLOAD_SIZE`, or there are more than `MAX_FILES_PER_REQUEST`.",
      507: "Not enough free space on the volume.",
    },
  },
  changeFile: {
    id: "changeFile",
    method: "PUT",
    path: "/api/files",
    tag: "Files",
    summary: "Rename or move a file, or change its visibility",
    description:
      "Any of them alone, or several at once in one transaction. A new name or folder changes the key, and with it the URL; URLs signed for the old key end. The content, and with it the ETag, stays.",
    access: "caller",
    budget: "api",
    body: { json: bodies.changeFileBody },
    answer: { data: oneFile },
    errors: {
      400: invalidName,
      404: "No such file, or no such folder to move to.",
      409: "The name is taken in the folder.",
    },
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
    body: { json: bodies.deleteFilesBody },
    answer: { data: objects.deleteResult },
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
      "Anyone who has the URL can read the file until it expires, public or private. A single link cannot be withdrawn: it ends by itself, with a rename, a move or the deletion of the file, or for all links at once with a new `AUTH_SECRET`.",
    access: "caller",
    budget: "api",
    body: { json: bodies.signBody },
    answer: { data: objects.signedUrl },
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
  downloadFiles: {
    id: "downloadFiles",
    method: "POST",
    path: "/api/files/download",
    tag: "Files",
    summary: "Download a selection as a zip",
    description:
      "Files and folders side by side, whatever folders they are in: of equal names the second becomes `name (2).ext`. Nothing is compressed. The body may also be a form (`application/x-www-form-urlencoded` with `ids` and `folderIds` as often as needed), so that a page can have the browser save the zip.",
    access: "caller",
    budget: "api",
    slow: true,
    body: { json: bodies.downloadBody, form: true },
    answer: { archive: "application/zip" },
    errors: {
      400: "No id at all, or more than 10,000.",
      404: "One of the ids names nothing; the message tells which.",
      413: "So many files and folders that the zip's directory alone is larger than 256 MiB. Folders within each other count again.",
    },
  },
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
    query: queries.hostingQuery,
    answer: { file: "inline" },
    errors: { 404: "No such file, or it is private and the request may not read it." },
  },
} as const satisfies Record<string, Operation>;
