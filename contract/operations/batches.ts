import { z } from "zod";
import { batchForm, createBatchBody, createUploadBody } from "../bodies/uploads.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_TOKEN } from "../example.ts";
import { batchMember, batchObject, batchUpload, uploadObject } from "../objects/uploads.ts";
import { createdHeaders, creationHeaders } from "../tus-headers.ts";
import { creationCodes, creationErrors } from "./uploads.ts";

const BATCH = { batch: "The last segment of the batch URL: id, dot, secret." };
const UNKNOWN =
  "There is no such batch, the URL is wrong, or the API key or account that created the batch no longer exists or reaches the folder.";
const GONE = "The batch has expired.";
const CLOSED = "The batch has expired, or is committed, so that nothing can be added to it.";
const FULL = "A batch takes at most 10,000 files.";

/** Files that appear together, or not at all. */
export const batchOperations = {
  createBatch: defineOperation({
    id: "createBatch",
    method: "POST",
    path: "/api/batches",
    tag: "Resumable uploads",
    summary: "Start a batch of files that appear together",
    description:
      "Files that are added to the batch, over any number of requests, are stored and stay invisible until the batch is committed; then all of them appear in one transaction. The batch URL needs no other credentials: anyone who has it may add files, commit and drop the batch. The key that created the batch is checked at every request. A batch expires `UPLOAD_EXPIRY` after the last addition.",
    access: "caller",
    permission: { actions: ["write"], places: ["destination"] },
    budget: "api",
    body: { json: createBatchBody },
    response: {
      data: z.object({
        batch: batchObject,
        url: z.string().meta({
          description: "The batch URL, relative to the base URL. It cannot be read again.",
          example: `api/batches/${EXAMPLE_TOKEN}`,
        }),
      }),
    },
    codes: ["invalid_lifetime"],
    errors: {
      400: "The folder is invalid, or a field has an unknown value.",
      404: "The target is outside the folder of the API key.",
      429: "The caller has too many open batches (`MAX_OPEN_UPLOADS`), or sent too many requests. Try again later.",
    },
    audit: {
      before: ({ folder = null }) => ({ subject: { kind: "folder", id: null, name: folder } }),
      after: ({ batch: { folder, onConflict } }) => ({
        subject: { kind: "folder", id: null, name: folder },
        detail: { onConflict },
      }),
    },
    example: {
      body: { folder: "site", onConflict: "replace" },
      sdk: `const batch = await holdall.batches.create({
  folder: "site",
  onConflict: "replace",
});`,
    },
  }),
  showBatch: defineOperation({
    id: "showBatch",
    method: "GET",
    path: "/api/batches/{batch}",
    tag: "Resumable uploads",
    summary: "Show a batch and what is in it",
    description:
      "`members` are the complete files in the order in which they were added, empty once the batch is committed; `uploads` are the resumable uploads that are not complete.",
    access: "token",
    permission: "none",
    budget: "api",
    parameters: BATCH,
    response: {
      data: z.object({
        batch: batchObject,
        members: z.array(batchMember),
        uploads: z.array(batchUpload),
      }),
    },
    errors: { 404: UNKNOWN, 410: GONE },
    audit: null,
    example: {
      parameters: { batch: EXAMPLE_TOKEN },
      sdk: "const { batch, members, uploads } = await holdall.batches.show(url);",
    },
  }),
  addToBatch: defineOperation({
    id: "addToBatch",
    method: "POST",
    path: "/api/batches/{batch}/files",
    tag: "Resumable uploads",
    summary: "Add files to a batch with a form",
    description:
      "As `POST /api/files`, but the files become members of the batch, and `folder` is relative to the batch's folder. All files of the request are added or none.",
    access: "token",
    permission: "none",
    budget: "api",
    parameters: BATCH,
    body: { multipart: batchForm },
    response: {
      data: z.object({ batch: batchObject, members: z.array(batchMember) }),
    },
    codes: ["digest_mismatch", "invalid_lifetime", "name_taken", "too_large", "too_many"],
    errors: {
      400: "As for `POST /api/files`. The field `onConflict` belongs to the batch.",
      404: UNKNOWN,
      409: "A file of the request is in the batch already, or a folder of the batch has its name.",
      410: CLOSED,
      413: `A file is larger than \`MAX_UPLOAD_SIZE\`, or there are more files than \`MAX_FILES_PER_REQUEST\`. ${FULL}`,
      507: "There is not enough free space on the volume.",
    },
    audit: null,
    example: {
      parameters: { batch: EXAMPLE_TOKEN },
      curl: [{ options: ["-F folder=assets", "-F files=@site.css", "-F files=@site.js"] }],
      sdk: `await holdall.batches.add(url, files, { folder: "assets" });`,
    },
  }),
  createBatchUpload: defineOperation({
    id: "createBatchUpload",
    method: "POST",
    path: "/api/batches/{batch}/uploads",
    tag: "Resumable uploads",
    summary: "Create an upload URL for a file of a batch",
    description:
      "As `POST /api/uploads`, but the complete file becomes a member of the batch, and `folder` is relative to the batch's folder.",
    access: "token",
    permission: "none",
    budget: "api",
    tus: true,
    parameters: BATCH,
    headers: creationHeaders,
    body: { json: createUploadBody.omit({ onConflict: true }), tus: true },
    response: {
      data: z.object({ upload: uploadObject }),
      status: 201,
      headers: createdHeaders,
    },
    codes: [...creationCodes, "too_large", "too_many"],
    errors: {
      ...creationErrors,
      404: UNKNOWN,
      410: CLOSED,
      413: `The file is larger than \`MAX_UPLOAD_SIZE\` or \`maxSize\`. ${FULL}`,
      422: "The file is in the batch already, or a folder of the batch has its name.",
    },
    audit: null,
    example: {
      parameters: { batch: EXAMPLE_TOKEN },
      body: { folder: "videos", name: "harbour.mov", size: 734003200 },
      sdk: `const { url } = await holdall.batches.createUpload(batch.url, {
  folder: "videos",
  name: "harbour.mov",
  size: 734_003_200,
});`,
    },
  }),
  commitBatch: defineOperation({
    id: "commitBatch",
    method: "POST",
    path: "/api/batches/{batch}/commit",
    tag: "Resumable uploads",
    summary: "Make all files of a batch visible",
    description:
      "All files and the missing folders appear in one transaction, or none. Sent again, it returns the same, so it may be repeated after a broken connection.",
    access: "token",
    permission: "none",
    budget: "api",
    parameters: BATCH,
    response: { data: z.object({ batch: batchObject }) },
    codes: ["name_taken", "conflict", "quota_exceeded"],
    errors: {
      403: "A replaced file would end earlier or be lost, for which the key lacks the action `delete`.",
      404: UNKNOWN,
      409: "A name is already taken and `onConflict` of the batch does not allow it, or an upload of the batch is not complete. Nothing was changed.",
      410: GONE,
      507: "There is not enough free space on the volume, or in the quota of the folder.",
    },
    audit: null,
    example: {
      parameters: { batch: EXAMPLE_TOKEN },
      sdk: "const { result } = await holdall.batches.commit(url);",
    },
  }),
  dropBatch: defineOperation({
    id: "dropBatch",
    method: "DELETE",
    path: "/api/batches/{batch}",
    tag: "Resumable uploads",
    summary: "Drop a batch",
    description:
      "Removes the batch with everything in it. The files of a committed batch stay; only its URL ends.",
    access: "token",
    permission: "none",
    budget: "api",
    parameters: BATCH,
    response: { data: z.object({}) },
    errors: { 404: UNKNOWN, 410: GONE },
    audit: null,
    example: {
      parameters: { batch: EXAMPLE_TOKEN },
      sdk: "await holdall.batches.drop(url);",
    },
  }),
};
