import { z } from "zod";
import { type AuditSubject, givenFields, subjectBy } from "../audit.ts";
import { changeFileBody, copyFilesBody, deleteFilesBody } from "../bodies/files.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_FOLDER_ID, EXAMPLE_ID } from "../example.ts";
import { undoId } from "../objects/common.ts";
import { deleteResult, fileObject, filesChanged, oneFile } from "../objects/files.ts";
import * as queries from "../queries.ts";
import { invalidName } from "./common.ts";

/** Changes, copies and deletions of files. */
export const fileChangeOperations = {
  changeFile: defineOperation({
    id: "changeFile",
    method: "PUT",
    path: "/api/files",
    tag: "Files",
    ignoresUnknown: true,
    summary: "Rename, move or change files",
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
