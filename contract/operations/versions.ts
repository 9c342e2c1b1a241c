import { z } from "zod";
import { deleteVersionsBody, restoreVersionBody } from "../bodies/trash.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_ID } from "../example.ts";
import { oneFile } from "../objects/files.ts";
import { fileVersion } from "../objects/trash.ts";
import * as queries from "../queries.ts";
import { nextCursor } from "./common.ts";

/** Operations on the earlier contents of files. */
export const versionOperations = {
  listVersions: defineOperation({
    id: "listVersions",
    method: "GET",
    path: "/api/files/versions",
    tag: "Trash and versions",
    summary: "List the versions of a file",
    description:
      "The contents that other content has replaced while the setting `keepVersions` was on, latest first. They have nothing to do with the versions of the S3 API, which keeps none.",
    access: "caller",
    permission: { actions: ["list"], places: ["subject"] },
    budget: "api",
    query: queries.versionsQuery,
    response: { data: z.object({ versions: z.array(fileVersion), nextCursor }) },
    errors: {
      400: "Neither or both of `id` and `key` are given, `limit` is out of range, or the cursor belongs to another file.",
      404: "The file does not exist.",
    },
    audit: null,
    example: {
      query: { key: "photos/2026/harbour.jpg" },
      sdk: `const { versions } = await holdall.files.versions(file.id);

for await (const version of holdall.files.eachVersion(file.id)) {
  console.log(version.replacedAt, version.size);
}`,
    },
  }),
  downloadVersion: defineOperation({
    id: "downloadVersion",
    method: "GET",
    path: "/api/files/versions/content",
    tag: "Trash and versions",
    summary: "Download a version",
    description: "Like a private file, it must not be cached and has no validators.",
    access: "caller",
    permission: { actions: ["read"], places: ["subject"] },
    budget: "api",
    query: queries.versionQuery,
    response: { file: "inline", hasValidators: false },
    errors: { 404: "The version does not exist." },
    audit: null,
    example: {
      query: { id: EXAMPLE_ID },
      curl: [{ options: ["-o harbour.jpg"] }],
      sdk: `const { body, size } =
  await holdall.files.downloadVersion(version.id);`,
    },
  }),
  restoreVersion: defineOperation({
    id: "restoreVersion",
    method: "POST",
    path: "/api/files/versions/restore",
    tag: "Trash and versions",
    summary: "Restore a version",
    description:
      "Makes the version the content of its file, with its media type and its `contentEncoding`; visibility and other metadata of the file stay. The content until now becomes a version, also if the setting `keepVersions` is off.",
    access: "caller",
    permission: { actions: ["write"], places: ["subject"] },
    budget: "api",
    query: queries.dryRunQuery,
    body: { json: restoreVersionBody },
    response: { data: oneFile },
    errors: {
      400: "The file's metadata would be too long with the version's `contentEncoding`.",
      404: "The version does not exist.",
    },
    audit: {
      after: ({ file: { id, key } }) => ({ subject: { kind: "file", id, name: key } }),
    },
    example: {
      body: { id: EXAMPLE_ID },
      sdk: `const file = await holdall.files.restoreVersion(version.id);`,
    },
  }),
  deleteVersions: defineOperation({
    id: "deleteVersions",
    method: "DELETE",
    path: "/api/files/versions",
    tag: "Trash and versions",
    summary: "Delete versions permanently",
    description: "Cannot be undone.",
    access: "caller",
    permission: { actions: ["delete"], places: ["subject"] },
    budget: "api",
    query: queries.dryRunQuery,
    body: { json: deleteVersionsBody },
    response: {
      data: z.object({
        deleted: z
          .array(z.string())
          .meta({ description: "The ids of the versions.", example: [EXAMPLE_ID] }),
      }),
    },
    errors: {
      400: "Neither or both of `id` and `ids` are given, or `ids` is empty or longer than `MAX_DELETE_BATCH`.",
      404: "None of the versions exists.",
    },
    audit: { after: ({ deleted }) => ({ detail: { versions: deleted.length } }) },
    example: {
      body: { ids: [EXAMPLE_ID] },
      sdk: `await holdall.files.deleteVersions([version.id]);`,
    },
  }),
};
