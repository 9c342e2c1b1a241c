import { z } from "zod";
import type { FileObject } from "../api.ts";
import { type AuditDetails, type AuditSubject, givenFields, subjectBy } from "../audit.ts";
import { changeFileBody, copyFilesBody, deleteFilesBody, uploadForm } from "../bodies/files.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_FOLDER_ID, EXAMPLE_ID } from "../example.ts";
import { undoId } from "../objects/common.ts";
import {
  deleteResult,
  fileDigest,
  fileLifetime,
  fileMetadata,
  fileObject,
  filesChanged,
} from "../objects/files.ts";
import * as queries from "../queries.ts";
import { invalidName, nextCursor } from "./common.ts";

const fileList = z.object({ files: z.array(fileObject) });
const filePage = fileList.extend({ nextCursor: nextCursor.optional() });
const oneFile = z.object({ file: fileObject });

/** The files of the tree: lists, uploads and changes. */
export const fileOperations = {
  listFiles: defineOperation({
    id: "listFiles",
    method: "GET",
    path: "/api/files",
    tag: "Files",
    ignoresUnknown: true,
    summary: "List files, or fetch one",
    description:
      "Without a selector, lists every file. With `name`, lists the files with exactly that name in all folders, and with `sha256` those with that content; the list may be empty. With `id` or `key`, fetches one file as `{ file }`. With `cursor`, the response also contains `nextCursor`.",
    access: "caller",
    permission: { actions: ["list"], places: ["subject", "results"] },
    budget: "api",
    query: queries.filesQuery,
    response: { data: z.union([filePage, oneFile]) },
    codes: ["unknown_field"],
    errors: {
      400: "`include` has an unknown name. Or: More than one of `id`, `key`, `name` and `sha256` is given, `sha256` is not a digest, a list parameter is out of range, or the cursor belongs to another list or order.",
      404: "No file has this id or key.",
    },
    audit: null,
    example: {
      query: { orderBy: "name", limit: "50" },
      sdk: `const files = await holdall.files.list({
  orderBy: "name",
  limit: 50,
});
for await (const file of holdall.files.list("photos/2026")) {
  console.log(file.key);
}
const isThere = await holdall.files.exists("photos/2026/quay.jpg");
const one = await holdall.files.getByKey(
  "photos/2026/harbour.jpg",
);`,
    },
  }),
  fileDigest: defineOperation({
    id: "fileDigest",
    method: "GET",
    path: "/api/files/digest",
    tag: "Files",
    summary: "Get the SHA-256 of a file",
    description:
      "Every upload is hashed while it is stored. The scrub adds the digests of files from before, which are `null` until then. Responses with the file have the same digest in `Repr-Digest` (RFC 9530).",
    access: "caller",
    permission: { actions: ["list"], places: ["subject"] },
    budget: "api",
    query: queries.oneFileQuery,
    response: { data: fileDigest },
    errors: {
      400: "Neither or both of `id` and `key` are given.",
      404: "The file does not exist.",
    },
    audit: null,
    example: {
      query: { key: "photos/2026/harbour.jpg" },
      sdk: `const { sha256 } = await holdall.files.digest(file.id);

const same = await holdall.files.withDigest(
  holdall.files.digest({ key: "photos/2026/harbour.jpg" }),
);`,
    },
  }),
  fileMetadata: defineOperation({
    id: "fileMetadata",
    method: "GET",
    path: "/api/files/metadata",
    tag: "Files",
    summary: "Get the metadata of a file",
    description:
      "The headers that responses with the file have: `cacheControl` replaces `Cache-Control` of a public file, `contentDisposition` the type and the name in `Content-Disposition`, and `contentLanguage`, `contentEncoding` and, for public files, `expires` add headers. Pairs `x-…` are sent as `X-Meta-…`. Private files always have `Cache-Control: private, no-store`. `PUT /api/files` changes the metadata.",
    access: "caller",
    permission: { actions: ["list"], places: ["subject"] },
    budget: "api",
    query: queries.oneFileQuery,
    response: { data: fileMetadata },
    errors: {
      400: "Neither or both of `id` and `key` are given.",
      404: "The file does not exist.",
    },
    audit: null,
    example: {
      query: { key: "photos/2026/harbour.jpg" },
      sdk: `const metadata = await holdall.files.metadata(file.id);`,
    },
  }),
  fileLifetime: defineOperation({
    id: "fileLifetime",
    method: "GET",
    path: "/api/files/lifetime",
    tag: "Files",
    summary: "Get when a file ends",
    description:
      "From that moment the file is missing everywhere, and it moves to the trash. `PUT /api/files` changes it.",
    access: "caller",
    permission: { actions: ["list"], places: ["subject"] },
    budget: "api",
    query: queries.oneFileQuery,
    response: { data: fileLifetime },
    errors: {
      400: "Neither or both of `id` and `key` are given.",
      404: "The file does not exist.",
    },
    audit: null,
    example: {
      query: { key: "photos/2026/harbour.jpg" },
      sdk: `const { files } = await holdall.files.page({
  include: ["lifetime"],
});
const ends = files.map(({ expiresAt }) => expiresAt);`,
    },
  }),
  uploadFiles: defineOperation({
    id: "uploadFiles",
    method: "POST",
    path: "/api/files",
    tag: "Files",
    ignoresUnknown: true,
    summary: "Upload files",
    description:
      "The server streams the body to storage. When the whole request has been received and stored, all its files appear at once; if anything fails, none of them does and existing files stay as they were. `folder` and `visibility` may come before or after the files. If `folder` comes first, the server rejects a name conflict before it reads the file's bytes. `onConflict` decides what happens when a name is already taken. A `Content-Digest` or `Repr-Digest` with `sha-256` (RFC 9530) is compared with the whole body, the form around the files included; `sha256` fields are compared with the files.",
    access: "caller",
    permission: { actions: ["write"], places: ["destination"] },
    budget: "api",
    body: { multipart: uploadForm },
    response: { data: fileList },
    codes: [
      "unknown_field",
      "digest_mismatch",
      "invalid_lifetime",
      "name_taken",
      "too_large",
      "too_many",
      "quota_exceeded",
    ],
    errors: {
      400: "There is no file, a file is in another field than `files`, a name or the folder is invalid, a field has an unknown value, a file or the body does not have the given digest, the body is malformed, or `Content-Digest` or `Repr-Digest` is malformed, so that the body cannot be checked.",
      404: "The target is outside the folder of the API key.",
      409: "A name is already taken in the target folder and `onConflict` is not given, or two files of the request have the same name.",
      413: "A file is larger than `MAX_UPLOAD_SIZE`, or there are more files than `MAX_FILES_PER_REQUEST`.",
      507: "There is not enough free space on the volume, or in the quota of the folder.",
    },
    audit: { after: ({ files }) => uploadedFiles(files) },
    example: {
      curl: [
        {
          options: [
            "-F folder=photos/2026",
            "-F visibility=private",
            "-F files=@harbour.jpg",
            "-F files=@lighthouse.jpg",
          ],
        },
      ],
      sdk: `const stored = await holdall.files.upload(file("./harbour.jpg"), {
  folder: "photos/2026",
  visibility: "private",
  onProgress: ({ loaded, total }) => show(loaded, total),
});
await holdall.files.put("notes/today.txt", "Low tide at six.");`,
    },
  }),
  putContent: defineOperation({
    id: "putContent",
    method: "PUT",
    path: "/api/files/content",
    tag: "Files",
    summary: "Store the body as a file",
    description:
      "The body is the content, of any size, and `key` says where it goes. The file appears when all of it has been received and stored; if anything fails, an existing file stays as it was. The name decides the media type; for names without a known extension, `Content-Type` does. With `If-None-Match: *` only a new file is stored, and with `If-Match` only a file with this ETag is replaced: a condition that does not hold gets 412. `ETag` of the response is a strong validator for later conditions, also of a private file. A `Content-Digest` or `Repr-Digest` with `sha-256` (RFC 9530) is compared with the content. If the response is lost, the same request with the same `Idempotency-Key` gets the stored file and changes nothing, for 24 hours and while that file is unchanged.",
    access: "caller",
    permission: { actions: ["write"], places: ["destination"] },
    budget: "api",
    isConditional: true,
    headers: {
      "Idempotency-Key": "Up to 255 characters that name this request, such as a random UUID.",
      "If-Match": "Replaces only a file that has one of these ETags; `*`: any file.",
      "If-None-Match": "`*`: stores only a new file.",
      "If-Unmodified-Since":
        "Replaces only a file whose content was stored before. Ignored if `If-Match` is present.",
      "Content-Digest": "As `sha-256=:BASE64:`, the SHA-256 of the content (RFC 9530).",
      "Repr-Digest": "The same as `Content-Digest`.",
    },
    query: queries.contentQuery,
    body: { bytes: ["application/octet-stream", "*/*"] },
    response: {
      data: oneFile,
      status: 201,
      alternative: { status: 200, meaning: "The file existed, and has the new content." },
      headers: { ETag: "A strong validator of the content." },
    },
    codes: [
      ...(["digest_mismatch", "invalid_lifetime", "name_taken"] as const),
      ...(["request_running", "idempotency_key_reused", "quota_exceeded"] as const),
    ],
    errors: {
      400: "The key is missing, empty or invalid or ends with a slash, `metadata` or `Idempotency-Key` is malformed, a digest is malformed or differs, or the request has a `Content-Range`.",
      404: "The key is outside the folder of the API key.",
      409: "A folder has the key, a file is in its path, or a file has the key and `onConflict` is `refuse`. Or a request with the same `Idempotency-Key` is running.",
      413: "The body is larger than `MAX_UPLOAD_SIZE`.",
      415: "The body has a `Content-Encoding`.",
      422: "The `Idempotency-Key` was used for another request: other content, another key, other parameters or conditions.",
      507: "There is not enough free space on the volume, or in the quota of the folder.",
    },
    audit: { after: ({ file }) => uploadedFiles([file]) },
    example: {
      query: { key: "photos/2026/harbour.jpg" },
      curl: [
        { options: ["-T harbour.jpg"] },
        {
          title: "Only if there is none yet",
          options: ['-H "If-None-Match: *"', "-T harbour.jpg"],
        },
      ],
      sdk: `const stored = await holdall.files.put("photos/2026/harbour.jpg", file("./harbour.jpg"));`,
    },
  }),
  readContent: defineOperation({
    id: "readContent",
    method: "GET",
    path: "/api/files/content",
    tag: "Files",
    summary: "Get the content of a file",
    description: "The bytes of a file by its key or its id, with ranges and conditions.",
    access: "caller",
    permission: { actions: ["read"], places: ["subject"] },
    budget: "api",
    query: queries.oneFileQuery,
    response: { file: "attachment" },
    errors: {
      400: "Neither or both of `id` and `key` are given.",
      404: "The file does not exist.",
    },
    audit: null,
    example: {
      query: { key: "photos/2026/harbour.jpg" },
      curl: [{ options: ["-o harbour.jpg"] }],
      sdk: `const { body, size, type } =
  await holdall.files.download(file.id);`,
    },
  }),
  changeFile: defineOperation({
    id: "changeFile",
    method: "PUT",
    path: "/api/files",
    tag: "Files",
    ignoresUnknown: true,
    summary: "Rename or move a file, or change its visibility or metadata; move or change many",
    description:
      "Makes all given changes in one transaction. Fields of `metadata` that are left out stay, `null` removes a field, and `metadata: null` removes all. A new name or folder changes the file's key and URL, and invalidates the URLs signed for the old key. The content and the ETag stay the same, but the ETag changes with `contentEncoding` and when metadata other than `cacheControl` is removed. With `ids` or `keys`, moves files or sets their visibility, all in one transaction; those that do not exist, or whose name is taken in the target folder, stay as they are and are returned in `failed`. `onConflict` decides what happens when a name is taken: a file that moves or is renamed keeps its id, and one that it replaces is deleted.",
    access: "caller",
    permission: { actions: ["write"], places: ["subject", "destination"] },
    budget: "api",
    query: queries.dryRunQuery,
    body: { json: changeFileBody, isBulk: true },
    response: {
      data: z.union([oneFile.extend({ undoId: undoId.optional() }), filesChanged]),
    },
    codes: ["trash_disabled", "invalid_lifetime", "name_taken", "quota_exceeded"],
    errors: {
      400: `${invalidName} Or not exactly one of \`id\`, \`key\`, \`ids\` and \`keys\` is given, a list is empty or too long, a key is empty, \`name\` or \`metadata\` is given with a list, \`onConflict\` is unknown, or \`trash\` is true and the trash is disabled.`,
      404: "The file, every file of the list, or the target folder does not exist.",
      409: "The name is already taken in the folder and `onConflict` does not allow it.",
      507: "There is not enough free space on the volume, or in the quota of the folder.",
    },
    audit: {
      before: ({ id, key, ids, keys, folder, metadata, trash: _, ...change }) => ({
        subject: subjectOf({ id, key, ids, keys }),
        destination: change.folderId,
        detail: givenFields({
          ...change,
          destination: folder,
          files: (ids ?? keys) && new Set(ids ?? keys).size,
          metadata: metadata && Object.keys(metadata).slice(0, 50).join(", "),
        }),
      }),
    },
    example: {
      body: { id: EXAMPLE_ID, name: "quay.jpg", visibility: "public" },
      sdk: `await holdall.files.update(file.id, {
  name: "quay.jpg",
  visibility: "public",
});

await holdall.files.update(file.id, {
  metadata: { cacheControl: "public, max-age=31536000, immutable" },
});

await holdall.files.move(
  { key: "photos/2026/quay.jpg" },
  "archive/2026/quay.jpg",
);

const { failed } = await holdall.files.updateMany(ids, {
  folderId: folder.id,
  onConflict: "keepBoth",
});`,
    },
  }),
  copyFiles: defineOperation({
    id: "copyFiles",
    method: "POST",
    path: "/api/files/copy",
    tag: "Files",
    summary: "Copy one or more files",
    description:
      "Makes all copies in one transaction: if anything fails, nothing is copied. The store copies the bytes, so they do not pass through the client. A copy has the content, media type, digests, metadata and visibility of its file at the end of the request; its versions and links stay with the original. The response may take long for large files, and nothing is copied if the connection is closed before.",
    access: "caller",
    permission: { actions: ["read", "write"], places: ["subject", "destination"] },
    budget: "api",
    query: queries.dryRunQuery,
    body: { json: copyFilesBody, isBulk: true },
    response: {
      data: z.object({
        files: z.array(fileObject).meta({
          description: "The copies in the order given, without skipped ones.",
        }),
      }),
    },
    codes: ["invalid_lifetime", "name_taken", "quota_exceeded"],
    errors: {
      400: "Not exactly one of `id`, `key`, `ids` and `keys` is given, a list is empty or too long, a key is empty, `name` is given with a list or is not a single path segment of 1 to 255 bytes, `onConflict` is unknown, or a resulting key is too long.",
      404: "A file or the folder to copy to does not exist; with `ids`, the message says which file.",
      409: "A name is already taken in the folder and `onConflict` is not given, two files have the same name, or a file would replace itself.",
      507: "There is not enough free space on the volume, or in the quota of the folder.",
    },
    audit: {
      before: ({ name, folderId, folder, ...files }) => ({
        subject: subjectOf(files),
        detail: givenFields({ name, folderId, destination: folder, files: countOf(files) }),
      }),
      after: ({ files }) => ({
        detail: { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) },
      }),
    },
    example: {
      body: { ids: [EXAMPLE_ID], folderId: EXAMPLE_FOLDER_ID, onConflict: "keepBoth" },
      sdk: `const [copy] = await holdall.files.copy(file.id, {
  onConflict: "keepBoth",
});

await holdall.files.copy(file.id, "archive/quay.jpg");

const copies = await holdall.files.copy(ids, {
  folderId: folder.id,
});`,
    },
  }),
  deleteFiles: defineOperation({
    id: "deleteFiles",
    method: "DELETE",
    path: "/api/files",
    tag: "Files",
    ignoresUnknown: true,
    summary: "Delete one or more files",
    description:
      "With `ids` or `keys`, each file is handled independently; those that do not exist are returned in `failed`. Deletion cannot be undone, unless `trash` moves the files to the trash: they disappear at once, and come back with `POST /api/trash/restore`.",
    access: "caller",
    permission: { actions: ["discard"], places: ["subject"] },
    budget: "api",
    query: queries.dryRunQuery,
    body: { json: deleteFilesBody, isBulk: true },
    response: { data: deleteResult },
    codes: ["trash_disabled"],
    errors: {
      400: "Not exactly one of `id`, `key`, `ids` and `keys` is given, a list is empty or longer than `MAX_DELETE_BATCH`, a key is empty, or `trash` is true and the trash is disabled.",
      404: "None of the ids or keys belongs to a file.",
    },
    audit: {
      before: (files) => ({ subject: subjectOf(files), detail: { files: countOf(files) } }),
      after: ({ undoId }) => ({ detail: undoId === undefined ? {} : { trash: true } }),
    },
    example: {
      body: { ids: [EXAMPLE_ID] },
      sdk: `await holdall.files.delete(file.id);

const { deleted, failed } = await holdall.files.delete([
  { key: "photos/2026/quay.jpg" },
  { key: "photos/2026/harbour.jpg" },
]);

const { undoId } = await holdall.files.delete(file.id, {
  trash: true,
});`,
    },
  }),
};

interface GivenFiles {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly keys?: readonly string[] | undefined;
}

/** The file that the audit log names: the first one of several. */
const subjectOf = ({ id, key, ids, keys }: GivenFiles): AuditSubject | undefined =>
  subjectBy("file", { id: id ?? ids?.[0], key: key ?? keys?.[0] });

const countOf = ({ ids, keys }: GivenFiles): number => new Set(ids ?? keys ?? [""]).size;

/** Names a single file, or the folder that several files went to. */
function uploadedFiles(files: readonly FileObject[]): AuditDetails {
  const [first] = files;
  if (first === undefined) return {};
  const folder = first.key.slice(0, Math.max(0, first.key.lastIndexOf("/")));
  return {
    subject:
      files.length === 1
        ? { kind: "file", id: first.id, name: first.key }
        : { kind: "folder", id: first.folderId, name: folder },
    detail: { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) },
  };
}
