import { z } from "zod";
import { archiveErrors } from "../archives.ts";
import { givenFields, subjectBy } from "../audit.ts";
import {
  changeFolderBody,
  copyFolderBody,
  createFolderBody,
  deleteFolderBody,
  signFolderBody,
} from "../bodies/folders.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_FOLDER_ID } from "../example.ts";
import { undoId } from "../objects/common.ts";
import { fileObject } from "../objects/files.ts";
import {
  folderDefault,
  folderObject,
  folderSize,
  folderVisibility,
  measuredFolder,
  signedFolder,
  subfolderObject,
  visibilityCounts,
} from "../objects/folders.ts";
import * as queries from "../queries.ts";
import { deletedIds, invalidName, nextCursor } from "./common.ts";

const oneFolder = z.object({ folder: folderObject });

/** The tree of folders that files are stored in. */
export const folderOperations = {
  browseFolder: defineOperation({
    id: "browseFolder",
    method: "GET",
    path: "/api/folders",
    tag: "Folders",
    ignoresUnknown: true,
    summary: "List a folder",
    description:
      "Returns the folder, its files and its direct subfolders. Without `id` or `key`, returns the root, or the folder of the API key, whose `parentId` is then `null`. The list parameters apply to the files. With `cursor`, the response also contains `nextCursor`, and only the first page contains the subfolders.",
    access: "caller",
    permission: { actions: ["list"], places: ["subject"] },
    budget: "api",
    query: queries.foldersQuery,
    response: {
      data: z.object({
        folder: folderObject,
        files: z.array(fileObject),
        folders: z.array(subfolderObject),
        nextCursor: nextCursor.optional(),
      }),
    },
    codes: ["unknown_field"],
    errors: {
      400: "`include` has an unknown name. Or: More than one selector, or `peek` with `hasFolders`, is given, a list parameter is out of range, or the cursor belongs to another list or order.",
      404: "The folder does not exist.",
    },
    audit: null,
    example: {
      query: { key: "photos/2026" },
      sdk: `const { folder, files, folders } =
  await holdall.folders.browse({ key: "photos/2026" });

const root = await holdall.folders.root();`,
    },
  }),
  downloadFolder: defineOperation({
    id: "downloadFolder",
    method: "GET",
    path: "/api/folders/download",
    tag: "Folders",
    summary: "Download a folder as a zip",
    description:
      "The zip contains everything in the folder, under the folder's name, with empty folders and modification times. Nothing is compressed. Without `id` or `key`, it contains the root and therefore every file, or everything in the folder of the API key.",
    access: "caller",
    permission: { actions: ["list", "read"], places: ["subject"] },
    budget: "api",
    query: queries.folderDownloadQuery,
    response: { archive: "application/zip" },
    errors: {
      400: "More than one selector is given.",
      404: "The folder does not exist.",
      ...archiveErrors,
    },
    audit: null,
    example: {
      query: { key: "photos/2026" },
      curl: [{ options: ["-OJ"] }],
      sdk: `const { body, name, size } =
  await holdall.folders.download(folder.id);`,
    },
  }),
  measureFolder: defineOperation({
    id: "measureFolder",
    method: "GET",
    path: "/api/folders/size",
    tag: "Folders",
    summary: "Measure a folder",
    description:
      "Counts everything in the folder and all its subfolders. Without `id` or `key`, measures the root, or the folder of the API key. `ids` measures several folders: each, and all of them together. Changes made during the count may or may not be included.",
    access: "caller",
    permission: { actions: ["list"], places: ["subject"] },
    budget: "api",
    query: queries.folderSizeQuery,
    response: {
      data: folderSize.extend({
        each: z.array(measuredFolder).optional().meta({
          description: "With `ids`: each of the folders, in the order of `ids`.",
        }),
      }),
    },
    errors: {
      400: "More than one selector is given, or too many `ids`.",
      404: "The folder, or one of them, does not exist.",
    },
    audit: null,
    example: {
      query: { key: "photos" },
      sdk: `const { files, folders, bytes } =
  await holdall.folders.size({ key: "photos" });

const together = await holdall.folders.size({ ids });
together.bytes;
together.each; // [{ id, files, folders, bytes }, …]`,
    },
  }),
  readFolderVisibility: defineOperation({
    id: "readFolderVisibility",
    method: "GET",
    path: "/api/folders/visibility",
    tag: "Folders",
    summary: "Show the default visibility of a folder",
    description:
      "What uploads to the folder get if they name no visibility, and the direct subfolders with a default of their own (at most 1,000, by name). `PUT /api/folders` changes it. Without `id` or `key`, shows the root, or the folder of the API key.",
    access: "caller",
    permission: { actions: ["list"], places: ["subject"] },
    budget: "api",
    query: queries.folderVisibilityQuery,
    response: {
      data: z.object({
        folder: folderVisibility,
        folders: z.array(folderDefault),
      }),
    },
    errors: { 400: "More than one selector is given.", 404: "The folder does not exist." },
    audit: null,
    example: {
      query: { key: "photos/2026" },
      sdk: `const { folder, folders } =
  await holdall.folders.visibility({ key: "photos/2026" });
folder.effectiveVisibility; // "public" or "private"`,
    },
  }),
  countVisibility: defineOperation({
    id: "countVisibility",
    method: "GET",
    path: "/api/folders/visibility/count",
    tag: "Folders",
    summary: "Count the public and private files of a folder",
    description:
      "Counts the files in the folder and all its subfolders: what `visibility` of `PUT /api/folders` would change. Without `id` or `key`, counts in the root, or the folder of the API key. Changes made during the count may or may not be included.",
    access: "caller",
    permission: { actions: ["list"], places: ["subject"] },
    budget: "api",
    query: queries.folderVisibilityQuery,
    response: { data: visibilityCounts },
    errors: { 400: "More than one selector is given.", 404: "The folder does not exist." },
    audit: null,
    example: {
      query: { key: "photos" },
      sdk: `const { files } =
  await holdall.folders.countVisibility({ key: "photos" });
files.public; // would become private`,
    },
  }),
  createFolder: defineOperation({
    id: "createFolder",
    method: "POST",
    path: "/api/folders",
    tag: "Folders",
    ignoresUnknown: true,
    summary: "Create a folder",
    access: "caller",
    permission: { actions: ["write"], places: ["destination"] },
    budget: "api",
    query: queries.dryRunQuery,
    body: { json: createFolderBody },
    response: { data: oneFolder },
    codes: ["name_taken"],
    errors: {
      400: "A segment is `.`, `..`, too long, or contains a separator or a control character.",
      404: "The path is outside the folder of the API key.",
      409: "The folder already exists, or a file has its name.",
    },
    audit: {
      before: ({ folder }) => ({ subject: { kind: "folder", id: null, name: folder } }),
      after: ({ folder: { id, key } }) => ({ subject: { kind: "folder", id, name: key } }),
    },
    example: {
      body: { folder: "photos/2026" },
      sdk: `const folder =
  await holdall.folders.create("photos/2026");`,
    },
  }),
  changeFolder: defineOperation({
    id: "changeFolder",
    method: "PUT",
    path: "/api/folders",
    tag: "Folders",
    ignoresUnknown: true,
    summary: "Rename, move or change a folder",
    description:
      "Makes all given changes in one transaction. A new name or parent changes the keys of everything in the folder. `visibility` is set on every file in the folder and all its subfolders, and also works on the root. It does not affect later uploads: for those, `defaultVisibility` is what uploads to the folder get if they name no visibility. Subfolders without a default of their own inherit it. The root has no default: there, the setting applies.",
    access: "caller",
    permission: { actions: ["write"], places: ["subject", "destination"] },
    budget: "api",
    query: queries.dryRunQuery,
    body: { json: changeFolderBody },
    response: { data: oneFolder },
    codes: ["name_taken", "conflict", "quota_exceeded"],
    errors: {
      400: `${invalidName} Also when the request renames or moves the root or gives it a default visibility, or moves a folder into itself or one of its subfolders.`,
      404: "The folder or the target folder does not exist.",
      409: "The name is already taken in the parent folder and `onConflict` is not given. Or the folder has a quota and would move into another folder.",
      507: "There is not enough free space on the volume, or in the quota of the folder.",
    },
    audit: {
      before: ({ id, key, folder, parent, ...change }) => ({
        subject: subjectBy("folder", { id, key: key ?? folder }),
        destination: change.parentId,
        detail: givenFields({ ...change, destination: parent }),
      }),
    },
    example: {
      body: { id: EXAMPLE_FOLDER_ID, name: "2025", visibility: "private" },
      sdk: `await holdall.folders.update(folder.id, {
  name: "2025",
  visibility: "private",
});

await holdall.folders.move(folder.id, parent.id);

// Existing files and later uploads.
await holdall.folders.update(folder.id, {
  visibility: "private",
  defaultVisibility: "private",
});`,
    },
  }),
  copyFolder: defineOperation({
    id: "copyFolder",
    method: "POST",
    path: "/api/folders/copy",
    tag: "Folders",
    summary: "Copy a folder with everything in it",
    description:
      "Makes the copy in one transaction: it appears complete, or not at all. It contains what the folder contains at the end of the request, at most 10,000 files and as many folders. A folder may be copied into itself: the copy then contains what was there before. Files are copied as by `POST /api/files/copy`, and new folders keep their `defaultVisibility`. The response may take long for large folders, and nothing is copied if the connection is closed before.",
    access: "caller",
    permission: { actions: ["list", "read", "write"], places: ["subject", "destination"] },
    budget: "api",
    query: queries.dryRunQuery,
    body: { json: copyFolderBody },
    response: {
      data: oneFolder.extend({
        added: z.int().min(0).meta({ description: "Files that were added.", example: 1204 }),
        replaced: z.int().min(0).meta({ description: "Files that were replaced.", example: 0 }),
        skipped: z.int().min(0).meta({
          description: "Files that were not copied, because their names were taken.",
          example: 0,
        }),
        bytes: z.int().min(0).meta({
          description: "Total size of the added and replaced files.",
          example: 580542139,
        }),
      }),
    },
    codes: ["name_taken", "too_large", "too_many", "quota_exceeded"],
    errors: {
      400: "The folder is the root, the name is not a single path segment of 1 to 255 bytes, `onConflict` is unknown, or a resulting key is too long or too deep.",
      404: "The folder or the folder to copy it into does not exist.",
      409: "The name is already taken in the parent folder and `onConflict` does not allow it, the folder would be copied onto itself, or a file in it would replace a folder.",
      413: "The folder contains too much for one copy.",
      507: "There is not enough free space on the volume, or in the quota of the folder.",
    },
    audit: {
      before: ({ id, key, folder, name, parentId, parent }) => ({
        subject: subjectBy("folder", { id, key: key ?? folder }),
        detail: givenFields({ name, parentId, destination: parent }),
      }),
      after: ({ added, replaced, bytes }) => ({ detail: { files: added + replaced, bytes } }),
    },
    example: {
      body: { id: EXAMPLE_FOLDER_ID, onConflict: "keepBoth" },
      sdk: `const { folder: copy } = await holdall.folders.copy(
  folder.id,
  { onConflict: "keepBoth" },
);

await holdall.folders.copy(folder.id, {
  parentId: parent.id,
  name: "2026 (backup)",
});`,
    },
  }),
  signFolder: defineOperation({
    id: "signFolder",
    method: "POST",
    path: "/api/folders/sign",
    tag: "Folders",
    summary: "Create a signed URL of a folder",
    description:
      "Anyone who has the URL can read every file in the folder, at any depth, until it expires, also files that are added later, but can neither list nor change them. The URL is a prefix, so that relative names in playlists, pages and galleries work, also in pages of other origins. It stays valid when the folder is renamed or moved, and ends when the folder is deleted. A URL that an API key creates expires no later than the key. A single URL cannot be revoked; a new `AUTH_SECRET` invalidates all signed URLs.",
    access: "caller",
    permission: { actions: ["share", "read"], places: ["subject"] },
    budget: "api",
    body: { json: signFolderBody },
    response: { data: signedFolder },
    errors: {
      400: "Not exactly one of `id` and `key` is given, `key` is empty, or `expiresIn` is not greater than 0.",
      404: "The folder does not exist.",
    },
    audit: {
      before: ({ id, key, folder }) => ({
        subject: subjectBy("folder", { id, key: key ?? folder }),
      }),
      after: ({ expiresAt }) => ({ detail: { expiresAt } }),
    },
    example: {
      body: { key: "photos/2026", expiresIn: 14_400 },
      sdk: `const { url } = await holdall.folders.sign(
  { key: "photos/2026" },
  { expiresIn: 4 * 3600 },
);
image.src = \`\${url}harbour.jpg\`;`,
    },
  }),
  deleteFolder: defineOperation({
    id: "deleteFolder",
    method: "DELETE",
    path: "/api/folders",
    tag: "Folders",
    ignoresUnknown: true,
    summary: "Delete a folder with everything in it",
    description:
      "Deletion cannot be undone, unless `trash` moves the folder to the trash: its content then disappears at once, and comes back with `POST /api/trash/restore`.",
    access: "caller",
    permission: { actions: ["discard"], places: ["subject"] },
    budget: "api",
    query: queries.dryRunQuery,
    body: { json: deleteFolderBody },
    response: { data: deletedIds.extend({ undoId: undoId.optional() }) },
    codes: ["trash_disabled"],
    errors: {
      400: "The root cannot be deleted, or `trash` is true and the trash is disabled.",
      404: "The folder does not exist.",
    },
    audit: {
      before: ({ id, key, folder }) => ({
        subject: subjectBy("folder", { id, key: key ?? folder }),
      }),
      after: ({ undoId }) => ({ detail: undoId === undefined ? {} : { trash: true } }),
    },
    example: {
      body: { id: EXAMPLE_FOLDER_ID },
      sdk: `await holdall.folders.delete(folder.id);

const { undoId } = await holdall.folders.delete(folder.id, {
  trash: true,
});`,
    },
  }),
};
