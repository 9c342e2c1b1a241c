import type { FileObject } from "../api.ts";
import type { AuditDetails } from "../audit.ts";
import { uploadForm } from "../bodies/files.ts";
import { defineOperation } from "../define-operation.ts";
import { fileList, oneFile } from "../objects/files.ts";
import * as queries from "../queries.ts";
import { oneFileErrors } from "./common.ts";

/** The content of files in one request: uploads, and reading it by key or id. */
export const fileContentOperations = {
  uploadFiles: defineOperation({
    id: "uploadFiles",
    method: "POST",
    path: "/api/files",
    tag: "Files",
    ignoresUnknown: true,
    summary: "Upload files",
    description:
      "Stores the files of a form in `folder`. All of them appear at once when the whole request has been stored; if anything fails, none of them does and existing files stay as they were. `onConflict` decides what happens when a name is already taken. Fields may come before or after the files; if `folder` comes first, the server rejects a name conflict before it reads the file's bytes. A `Content-Digest` or `Repr-Digest` with `sha-256` (RFC 9530) is compared with the whole body, the form around the files included; `sha256` fields are compared with the files.",
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
    errors: oneFileErrors,
    audit: null,
    example: {
      query: { key: "photos/2026/harbour.jpg" },
      curl: [{ options: ["-o harbour.jpg"] }],
      sdk: `const { body, size, type } =
  await holdall.files.download(file.id);`,
    },
  }),
};

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
