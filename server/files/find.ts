import type { FileTree } from "../catalog/port/file-tree.ts";
import { noSuchFolder } from "../domain/callers/authorize.ts";
import { limitsOf, type SeenBy } from "../domain/callers/caller.ts";
import { Fault } from "../domain/faults/fault.ts";
import { parseKey, tryParseName } from "../domain/names/name.ts";
import type {
  BranchingFolder,
  FileRecord,
  FolderRecord,
  Name,
  Page,
  PeekedFolder,
} from "../domain/records.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";

/** Identifies a file or folder by its id or its key. */
export type Selector = { readonly id: string } | { readonly key: string };

/** "top" is the folder that contains everything that the caller may see: the root without limits. */
export type FolderSelector = Selector | "top";

/** Faults "not_found"; "invalid": `key` is not a valid key. */
export async function findFile(
  caller: SeenBy,
  names: FileTree,
  selector: Selector,
): Promise<FileRecord> {
  const file =
    "id" in selector
      ? await names.fileById(caller, selector.id)
      : await names.fileByKey(caller, parseKey(selector.key));
  if (file === undefined) throw noSuchFile();
  return file;
}

/** Every file, or with `name` those with exactly that name. No file has an invalid name. */
export function listFiles(
  caller: SeenBy,
  names: FileTree,
  name: string | undefined,
  page: Page,
): AsyncIterable<FileRecord[]> {
  if (name === undefined) return names.listFiles(caller, {}, page);
  const wanted = tryParseName(name);
  return wanted === undefined ? noFiles() : names.listFiles(caller, { name: wanted }, page);
}

/** The empty key is the root. Faults: same as `findFile`. */
export async function findFolder(
  caller: SeenBy,
  names: FileTree,
  selector: FolderSelector,
): Promise<FolderRecord> {
  const folder = await lookUpFolder(caller, names, selector);
  if (folder === undefined) throw noSuchFolder();
  return asSeenBy(caller, folder);
}

function lookUpFolder(
  caller: SeenBy,
  names: FileTree,
  selector: FolderSelector,
): MaybePromise<FolderRecord | undefined> {
  if (selector === "top") return names.topFolder(caller);
  if ("id" in selector) return names.folderById(caller, selector.id);
  return names.folderByKey(caller, parseKey(selector.key));
}

/** The folders that limit a caller have no parent for it. */
export const asSeenBy = (caller: SeenBy, folder: FolderRecord): FolderRecord =>
  limitsOf(caller.within).includes(folder.id) ? { ...folder, parentId: null } : folder;

/** A folder with its files and direct subfolders. The lists are read as they are consumed. */
export interface FolderView {
  readonly folder: FolderRecord;
  files(page: Page): AsyncIterable<FileRecord[]>;
  /** By name. `after`: only those after this name. */
  folders(after?: Name): AsyncIterable<FolderRecord[]>;
  foldersWithPeek(): AsyncIterable<PeekedFolder[]>;
  foldersWithFolders(): AsyncIterable<BranchingFolder[]>;
}

/** The empty key is the root. Fault "not_found": there is no such folder. */
export async function browseFolder(
  caller: SeenBy,
  names: FileTree,
  selector: FolderSelector,
): Promise<FolderView> {
  const folder = await findFolder(caller, names, selector);
  return {
    folder,
    files: (page) => names.listFiles(caller, { folderId: folder.id }, page),
    folders: (after) => names.listFolders(caller, folder.id, after),
    foldersWithPeek: () => names.listFoldersWithPeek(caller, folder.id),
    foldersWithFolders: () => names.listFoldersWithFolders(caller, folder.id),
  };
}

export const noSuchFile = (): Fault => new Fault("not_found", "File not found.");

export const noSuchVersion = (): Fault => new Fault("not_found", "Version not found.");

async function* noFiles(): AsyncGenerator<never> {}
