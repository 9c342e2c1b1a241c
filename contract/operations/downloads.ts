import { z } from "zod";
import { archiveErrors } from "../archives.ts";
import { givenFields, subjectBy } from "../audit.ts";
import { downloadBody, signBody } from "../bodies/files.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_FOLDER_ID, EXAMPLE_ID } from "../example.ts";
import { filesSigned, signedUrl } from "../objects/files.ts";
import * as queries from "../queries.ts";

/** The content of files: signed URLs, downloads, and the public URLs that serve it. */
export const downloadOperations = {
  signFile: defineOperation({
    id: "signFile",
    method: "POST",
    path: "/api/files/sign",
    tag: "Files",
    ignoresUnknown: true,
    summary: "Create signed URLs",
    description:
      "Anyone who has the URL can read the file until the URL expires, even if the file is private. A URL that an API key creates expires no later than the key. A single URL cannot be revoked. It stops working when it expires or when the file is renamed, moved or deleted; a new `AUTH_SECRET` invalidates all signed URLs. With `ids` or `keys`, every file has its URL in `signed`, and those that do not exist are returned in `failed`. Pages of other origins can read what a signed URL answers.",
    access: "caller",
    permission: { actions: ["share", "read"], places: ["subject"] },
    budget: "api",
    body: { json: signBody, isBulk: true },
    response: { data: z.union([signedUrl, filesSigned]) },
    errors: {
      400: "Nothing that names a file is given, or a list beside another selector; `id` and `key` belong to different files; a list is empty or too long; a key is empty; or `expiresIn` is not greater than 0.",
      404: "The file does not exist. Those of a list are in `failed`.",
    },
    audit: {
      before: ({ id, key, ids, keys }) => ({
        subject: subjectBy("file", { id: id ?? ids?.[0], key: key ?? keys?.[0] }),
        detail: givenFields({ files: (ids ?? keys)?.length }),
      }),
      after: (data) => ({
        detail: givenFields(
          "signed" in data
            ? {
                files: data.signed.length,
                failed: data.failed.length || undefined,
                expiresAt: data.signed[0]?.expiresAt,
              }
            : { expiresAt: data.expiresAt },
        ),
      }),
    },
    example: {
      body: { key: "photos/2026/harbour.jpg", expiresIn: 3600 },
      sdk: `const { url, expiresAt } = await holdall.files.sign(
  file.id,
  { expiresIn: 3600 },
);

const { signed, failed } = await holdall.files.signMany(
  [{ key: "photos/2026/harbour.jpg" }, { key: "photos/2026/quay.jpg" }],
  { expiresIn: 3600 },
);`,
    },
  }),
  downloadFile: defineOperation({
    id: "downloadFile",
    method: "GET",
    path: "/api/files/download/{id}",
    tag: "Files",
    ignoresUnknown: true,
    summary: "Download a file",
    access: "caller",
    permission: { actions: ["read"], places: ["subject"] },
    budget: "api",
    parameters: { id: "The file's id." },
    response: { file: "attachment" },
    errors: { 404: "The file does not exist." },
    audit: null,
    example: {
      parameters: { id: EXAMPLE_ID },
      curl: [
        { options: ["-o harbour.jpg"] },
        { title: "The first 100 bytes", options: ["-r 0-99"] },
      ],
      sdk: `const { body, size, type } =
  await holdall.files.download(file.id);

const head = await holdall.files.download(file.id, {
  range: { start: 0, end: 99 },
});`,
    },
  }),
  downloadFiles: defineOperation({
    id: "downloadFiles",
    method: "POST",
    path: "/api/files/download",
    tag: "Files",
    summary: "Download selected files and folders as a zip",
    description:
      "The zip contains the selected files and folders side by side, regardless of their parent folders. When names collide, later ones become `name (2).ext`. Nothing is compressed. The body may also be an HTML form (`application/x-www-form-urlencoded`, with `ids`, `folderIds`, `keys` and `folders` repeated as needed), so that a browser can save the zip directly.",
    access: "caller",
    permission: { actions: ["list", "read"], places: ["subject"] },
    budget: "api",
    body: { json: downloadBody, form: true },
    response: { archive: "application/zip" },
    errors: {
      400: "No id or key is given, more than 10,000 are, or a key is empty or invalid.",
      404: "A file or folder does not exist; the message says which.",
      ...archiveErrors,
    },
    audit: null,
    example: {
      body: { ids: [EXAMPLE_ID], folderIds: [EXAMPLE_FOLDER_ID] },
      curl: [{ options: ["-OJ"] }],
      sdk: `const { body, name, size } =
  await holdall.files.downloadZip({ ids, folderIds });`,
    },
  }),
  downloadSelection: defineOperation({
    id: "downloadSelection",
    method: "GET",
    path: "/api/files/download",
    tag: "Files",
    summary: "Download selected files and folders as a zip, by URL",
    description:
      "The zip of `POST /api/files/download`, for links that a signed-in browser saves. Repeat `ids`, `folderIds`, `keys` and `folders` as needed. The server refuses URLs of more than about 16 KB: send more than 300 ids with `POST`.",
    access: "caller",
    permission: { actions: ["list", "read"], places: ["subject"] },
    budget: "api",
    query: queries.selectionQuery,
    response: { archive: "application/zip" },
    errors: {
      400: "No id or key is given, or a key is empty or invalid.",
      404: "A file or folder does not exist; the message says which.",
      ...archiveErrors,
    },
    audit: null,
    example: {
      query: { ids: EXAMPLE_ID, folderIds: EXAMPLE_FOLDER_ID },
      curl: [{ options: ["-OJ"] }],
      sdk: `link.href = holdall.files.zipUrl({ ids, folderIds });`,
    },
  }),
  hostFile: defineOperation({
    id: "hostFile",
    method: "GET",
    path: "/api/hosting/{key*}",
    tag: "Hosting",
    ignoresUnknown: true,
    summary: "Serve a file at its public URL",
    description:
      "Percent-encode each segment of the key. A private file needs a valid signature, an API key or a session. Without one, the response is the same 404 as for a key that does not exist. With `size`, an image is served in a smaller size, without EXIF data, to those who may read the file; the ETag is that of the smaller image. A public file at its lasting URL (`lastingUrl` in lists with `include=lastingUrl`) has `Cache-Control: public, max-age=31536000, immutable`, so that caches may keep it for a year, also after it was made private or deleted.",
    access: "reader",
    permission: { actions: ["read"], places: ["subject"] },
    budget: "hosting",
    parameters: { key: "The file's key." },
    query: queries.hostingQuery,
    response: { file: "inline" },
    errors: {
      400: "`size` is unknown, or this server makes no smaller sizes.",
      404: "The file does not exist, or it is private and the request may not read it.",
      415: "The file has no smaller sizes: it is not a JPEG, PNG, WebP or GIF image.",
      422: "The image has no smaller sizes: it is damaged, or too large.",
      503: "Too many images are waiting to be scaled. Try again after `Retry-After` seconds.",
    },
    audit: null,
    example: {
      parameters: { key: "photos/2026/harbour.jpg" },
      curl: [
        { title: "A public file", options: ["-o harbour.jpg"] },
        {
          title: "A private file, with an API key",
          options: ['-H "API-Key: $HOLDALL_KEY"', "-o harbour.jpg"],
        },
      ],
      sdk: `image.src = holdall.url(file, { size: "medium" });`,
    },
  }),
};
