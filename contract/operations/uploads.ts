import { z } from "zod";
import type { UploadObject } from "../api.ts";
import type { AuditDetails } from "../audit.ts";
import { createUploadBody } from "../bodies/uploads.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_TOKEN } from "../example.ts";
import { nullableText } from "../objects/common.ts";
import { fileObject } from "../objects/files.ts";
import { uploadObject } from "../objects/uploads.ts";
import {
  appendedHeaders,
  appendHeaders,
  cancelledHeaders,
  createdHeaders,
  creationHeaders,
  optionsHeaders,
  stateHeaders,
  stateResponseHeaders,
} from "../tus-headers.ts";

const UPLOAD = { upload: "The last segment of the upload URL: id, dot, secret." };
const UNKNOWN =
  "There is no such upload, the URL is wrong, or the API key or account that created the upload no longer exists or reaches the folder.";
const EXPIRED = "The upload has expired.";
const OTHER_WRITER =
  "Another request is writing to the upload, and is asked to stop. Try again after `Retry-After`.";

/** The failures of a creation. */
export const creationErrors = {
  400: "A field or header is malformed or has an unknown value, a name or the folder is invalid, the body does not have its `Content-Digest`, or a creation with JSON has `If-Match`, `If-None-Match` or `If-Unmodified-Since`.",
  413: "The file is larger than `MAX_UPLOAD_SIZE` or `maxSize`.",
  415: "The media type of the file is not one of `types`, or the body has another media type.",
  422: "The name is already taken in the folder.",
  460: "The body does not have the checksum in `Upload-Checksum`. The upload was not created.",
  507: "There is not enough free space for the file and the other open uploads, or in the quota of the folder.",
};

/** The codes of these failures that are not general. */
export const creationCodes = [
  "digest_mismatch",
  "invalid_lifetime",
  "name_taken",
  "quota_exceeded",
] as const;

/** Uploads over several requests, through URLs that need no other credentials. */
export const uploadOperations = {
  createUpload: defineOperation({
    id: "createUpload",
    method: "POST",
    path: "/api/uploads",
    tag: "Resumable uploads",
    summary: "Create an upload URL",
    description:
      "Creates an upload that may take several requests and continues after a broken connection, as tus 1.0.0 defines it. tus clients send headers, all others JSON. The response has the upload URL in `Location`: with it, a browser, a phone or an agent can send this one file without any other credentials, also from a page of another origin. The file appears when it is complete. The key that created the upload is checked at every request: when it is revoked, the upload ends. Bytes in the body (creation-with-upload) are the first of the file.",
    access: "caller",
    permission: { actions: ["write"], places: ["destination"] },
    budget: "api",
    tus: true,
    headers: creationHeaders,
    body: { json: createUploadBody, tus: true },
    response: {
      data: z.object({ upload: uploadObject }),
      status: 201,
      headers: createdHeaders,
    },
    codes: creationCodes,
    errors: {
      ...creationErrors,
      404: "The target is outside the folder of the API key.",
      429: "The caller has too many open uploads (`MAX_OPEN_UPLOADS`), or sent too many requests. Try again later.",
    },
    audit: {
      before: (body) => destinationOf(body?.folder ?? null, body?.name),
      after: ({ upload }) => createdUpload(upload),
    },
    example: {
      body: { folder: "photos/2026", maxSize: 1073741824, types: ["video/*"], expiresIn: 3600 },
      curl: [
        { options: [] },
        {
          title: "The same request as tus, for a file of 700 MiB",
          options: [
            "-H 'Tus-Resumable: 1.0.0'",
            "-H 'Upload-Length: 734003200'",
            "-H 'Upload-Metadata: filename aGFyYm91ci5tb3Y='",
          ],
          withoutBody: true,
        },
      ],
      sdk: `const { url } = await holdall.uploads.create({
  folder: "photos/2026",
  maxSize: 1024 ** 3,
  types: ["video/*"],
});`,
    },
  }),
  tusFeatures: defineOperation({
    id: "tusFeatures",
    method: "OPTIONS",
    path: "/api/uploads",
    tag: "Resumable uploads",
    summary: "Get the supported features of tus",
    description:
      "What a tus client asks before it uploads: the version, the extensions and the largest file, in headers.",
    access: "anyone",
    permission: "none",
    budget: "api",
    tus: true,
    response: { empty: 204, headers: optionsHeaders },
    errors: {},
    audit: null,
    example: {
      curl: [{ options: ["-i"] }],
      sdk: "const { extensions, maxSize } = await holdall.uploads.features();",
    },
  }),
  uploadState: defineOperation({
    id: "uploadState",
    method: "HEAD",
    path: "/api/uploads/{upload}",
    tag: "Resumable uploads",
    summary: "Ask how much of an upload is stored",
    description:
      "Continue at `Upload-Offset`: the bytes before it survive a power cut. It equals `Upload-Length` only when the file is complete and visible; such an upload still answers for 24 hours.",
    access: "token",
    permission: "none",
    budget: "api",
    tus: true,
    parameters: UPLOAD,
    headers: stateHeaders,
    response: { empty: 200, headers: stateResponseHeaders },
    errors: { 404: UNKNOWN, 410: EXPIRED },
    audit: null,
    example: {
      parameters: { upload: EXAMPLE_TOKEN },
      sdk: "const { offset, size } = await holdall.uploads.state(url);",
    },
  }),
  showUpload: defineOperation({
    id: "showUpload",
    method: "GET",
    path: "/api/uploads/{upload}",
    tag: "Resumable uploads",
    summary: "Show an upload, and its file once it is complete",
    description:
      "What `HEAD` returns, as JSON. `file` is `null` until the upload is complete, in a batch, and if `onConflict` skipped the file.",
    access: "token",
    permission: "none",
    budget: "api",
    tus: true,
    parameters: UPLOAD,
    headers: stateHeaders,
    response: {
      data: z.object({
        upload: uploadObject.omit({ url: true }),
        complete: z.boolean().meta({ description: "Whether the file is complete.", example: true }),
        file: fileObject.nullable(),
        fetch: z
          .object({
            state: z
              .enum(["waiting", "running", "done", "failed"])
              .meta({ typeName: "FetchState", example: "failed" }),
            error: nullableText("Why it failed.", "The source answered 404."),
          })
          .nullable()
          .meta({
            description: "How far `POST /api/files/fetch` is; `null`: a client sends the file.",
            example: null,
          }),
      }),
    },
    errors: { 404: UNKNOWN, 410: EXPIRED },
    audit: null,
    example: {
      parameters: { upload: EXAMPLE_TOKEN },
      sdk: "const { upload, complete, file } = await holdall.uploads.show(url);",
    },
  }),
  appendToUpload: defineOperation({
    id: "appendToUpload",
    method: "PATCH",
    path: "/api/uploads/{upload}",
    tag: "Resumable uploads",
    summary: "Send bytes of an upload",
    description:
      "Appends the body at `Upload-Offset`. If the connection breaks, the bytes that have arrived stay: ask for the offset and continue there. With the last byte the file appears, in one transaction; if that fails, the offset stays below the length. Only one request at a time writes to an upload. `POST` with `X-HTTP-Method-Override: PATCH` works too. A request that sends nothing for two minutes, or less than 256 bytes per second for five, is ended.",
    access: "token",
    permission: "none",
    budget: "api",
    tus: true,
    parameters: UPLOAD,
    headers: appendHeaders,
    body: { bytes: ["application/offset+octet-stream", "application/partial-upload"] },
    response: { empty: 204, headers: appendedHeaders },
    codes: ["digest_mismatch", "wrong_offset", "name_taken", "quota_exceeded"],
    errors: {
      400: "A header is missing or malformed, the upload has no name yet and `Upload-Metadata` gives none, or the body does not have its `Content-Digest` and was dropped.",
      403: "A replaced file would end earlier or be lost, for which the key lacks the action `delete`.",
      404: UNKNOWN,
      408: "The body arrived too slowly. Continue at the offset that `HEAD` returns.",
      409: "`Upload-Offset` is not the current offset, which the response has in `Upload-Offset`.",
      410: EXPIRED,
      413: "The body exceeds the length of the upload, or its maximum size.",
      415: "The media type of the file is not allowed, or the body has another media type.",
      422: "The name is already taken in the folder, or the file does not have its `sha256` or `Repr-Digest`, so that the upload was removed.",
      423: OTHER_WRITER,
      460: "The body does not have the checksum in `Upload-Checksum` and was dropped.",
      507: "There is not enough free space on the volume, or in the quota of the folder.",
    },
    audit: null,
    example: {
      parameters: { upload: EXAMPLE_TOKEN },
      curl: [
        {
          options: [
            "-H 'Tus-Resumable: 1.0.0'",
            "-H 'Upload-Offset: 0'",
            "-H 'Content-Type: application/offset+octet-stream'",
            "-T harbour.mov",
          ],
        },
      ],
      sdk: `const sent = await holdall.uploads.send(url, file("./harbour.mov"));`,
    },
  }),
  cancelUpload: defineOperation({
    id: "cancelUpload",
    method: "DELETE",
    path: "/api/uploads/{upload}",
    tag: "Resumable uploads",
    summary: "Cancel an upload",
    description:
      "Removes the upload and its bytes. The file of a complete upload stays; only its URL ends.",
    access: "token",
    permission: "none",
    budget: "api",
    tus: true,
    parameters: UPLOAD,
    headers: stateHeaders,
    response: { empty: 204, headers: cancelledHeaders },
    errors: { 404: UNKNOWN, 410: EXPIRED },
    audit: null,
    example: {
      parameters: { upload: EXAMPLE_TOKEN },
      sdk: "await holdall.uploads.cancel(url);",
    },
  }),
  uploadOptions: defineOperation({
    id: "uploadOptions",
    method: "OPTIONS",
    path: "/api/uploads/{upload}",
    tag: "Resumable uploads",
    summary: "Get the supported features of tus at an upload URL",
    description:
      "Also answers the preflight requests of browsers: pages of every origin may use an upload URL, without credentials.",
    access: "token",
    permission: "none",
    budget: "api",
    tus: true,
    parameters: UPLOAD,
    response: { empty: 204, headers: optionsHeaders },
    errors: {},
    audit: null,
    example: {
      parameters: { upload: EXAMPLE_TOKEN },
      curl: [{ options: ["-i"] }],
      sdk: "const { extensions, maxSize } = await holdall.uploads.features();",
    },
  }),
};

const destinationOf = (folder: string | null, name: string | null | undefined): AuditDetails => ({
  subject: { kind: "folder", id: null, name: folder },
  detail: name == null ? {} : { name },
});

/** Without the URL, which is a secret. */
function createdUpload({ folder, name, size, maxSize, expiresAt }: UploadObject): AuditDetails {
  const { subject, detail } = destinationOf(folder, name);
  return { subject, detail: { ...detail, size, maxSize, expiresAt } };
}
