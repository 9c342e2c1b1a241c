import { z } from "zod";
import { defineOperation } from "../define-operation.ts";
import { fileDigest, fileLifetime, fileList, fileMetadata, oneFile } from "../objects/files.ts";
import * as queries from "../queries.ts";
import { nextCursor, oneFileErrors } from "./common.ts";

const filePage = fileList.extend({ nextCursor: nextCursor.optional() });

/** The files of the tree: lists, and what is known of one file. */
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
    errors: oneFileErrors,
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
    errors: oneFileErrors,
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
    errors: oneFileErrors,
    audit: null,
    example: {
      query: { key: "photos/2026/harbour.jpg" },
      sdk: `const { files } = await holdall.files.page({
  include: ["lifetime"],
});
const ends = files.map(({ expiresAt }) => expiresAt);`,
    },
  }),
};
