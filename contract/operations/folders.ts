import { z } from "zod";
import * as bodies from "../bodies.ts";
import * as objects from "../objects.ts";
import type { Operation } from "../operation.ts";
import * as queries from "../queries.ts";
import { deletedIds, invalidName, nextCursor } from "./shared.ts";

const oneFolder = z.object({ folder: objects.folderObject });

/** The tree that files live in. */
export const folderOperations = {
  browseFolder: {
    id: "browseFolder",
    method: "GET",
    path: "/api/folders",
    tag: "Folders",
    summary: "Show a folder",
    description:
      "The folder, its files and its direct subfolders. Without `id` or `key`: the root. The list parameters apply to the files. With `cursor` the answer also has `nextCursor`, and the subfolders come with the first page.",
    access: "caller",
    budget: "api",
    query: queries.foldersQuery,
    answer: {
      data: z.object({
        folder: objects.folderObject,
        files: z.array(objects.fileObject),
        folders: z.array(objects.folderObject),
        nextCursor: nextCursor.optional(),
      }),
    },
    errors: {
      400: "More than one selector, a list parameter out of its range, or a cursor of another list or order.",
      404: "No such folder.",
    },
  },
  downloadFolder: {
    id: "downloadFolder",
    method: "GET",
    path: "/api/folders/download",
    tag: "Folders",
    summary: "Download a folder as a zip",
    description:
      "Everything inside, under the folder's name, empty folders and times included. Nothing is compressed. Without `id` or `key`: the root, and so everything.",
    access: "caller",
    budget: "api",
    slow: true,
    query: queries.folderDownloadQuery,
    answer: { archive: "application/zip" },
    errors: {
      400: "More than one selector.",
      404: "No such folder.",
      413: "So many files and folders that the zip's directory alone is larger than 256 MiB.",
    },
  },
  measureFolder: {
    id: "measureFolder",
    method: "GET",
    path: "/api/folders/size",
    tag: "Folders",
    summary: "Measure a folder",
    description:
      "Counts everything below the folder, at any depth. Without `id` or `key`: the root. What changes meanwhile may be counted or not.",
    access: "caller",
    budget: "api",
    slow: true,
    query: queries.folderSizeQuery,
    answer: {
      data: z.object({
        files: z.int().min(0).meta({ example: 1204 }),
        folders: z.int().min(0).meta({ example: 16 }),
        bytes: z.int().min(0).meta({ description: "Of all the files.", example: 580542139 }),
      }),
    },
    errors: { 400: "More than one selector.", 404: "No such folder." },
  },
  createFolder: {
    id: "createFolder",
    method: "POST",
    path: "/api/folders",
    tag: "Folders",
    summary: "Create a folder",
    access: "caller",
    budget: "api",
    body: { json: bodies.createFolderBody },
    answer: { data: oneFolder },
    errors: {
      400: "A segment that is `.`, `..`, too long, or has a separator or control character in it.",
      409: "The folder exists, or a file has its name.",
    },
  },
  changeFolder: {
    id: "changeFolder",
    method: "PUT",
    path: "/api/folders",
    tag: "Folders",
    summary: "Rename or move a folder, or set the visibility of all its files",
    description:
      "Any of them alone, or several at once in one transaction. A new name or parent changes the keys of everything inside. `visibility` is set on every file in the folder and all its subfolders; the root is allowed. Later uploads are not affected.",
    access: "caller",
    budget: "api",
    slow: true,
    body: { json: bodies.changeFolderBody },
    answer: { data: oneFolder },
    errors: {
      400: `${invalidName} Also: renaming or moving the root, and moving a folder into itself or a folder inside it.`,
      404: "No such folder, or no such folder to move to.",
      409: "The name is taken in the parent folder.",
    },
  },
  deleteFolder: {
    id: "deleteFolder",
    method: "DELETE",
    path: "/api/folders",
    tag: "Folders",
    summary: "Delete a folder with everything in it",
    description: "This cannot be undone.",
    access: "caller",
    budget: "api",
    slow: true,
    body: { json: bodies.deleteFolderBody },
    answer: { data: deletedIds },
    errors: { 400: "The root cannot be deleted.", 404: "No such folder." },
  },
} as const satisfies Record<string, Operation>;
