import type { FileTree } from "../catalog/port/file-tree.ts";
import { Fault } from "../domain/fault.ts";
import { parseKey, tryParseName } from "../domain/names/name.ts";
import type { FileRecord, FolderRecord, Name, Page, PeekedFolder } from "../domain/records.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";

/** Identifies a file or folder by its id or its key. */
export type Selector = { readonly id: string } | { readonly key: string };

/** "top" is the folder that contains everything that the caller may see: the root without limits. */
export type FolderSelector = Selector | "top";

/** Faults "not_found"; "invalid": `key` is not a valid key. */
export async function findFile(names: FileTree, selector: Selector): Promise<FileRecord> {
  const file =
    "id" in selector
      ? await names.fileById(selector.id)
      : await names.fileByKey(parseKey(selector.key));
  if (file === undefined) throw noSuchFile();
  return file;
}

/** Every file, or with `name` those with exactly that name. No file has an invalid name. */
export function listFiles(
  names: FileTree,
  name: string | undefined,
  page: Page,
): AsyncIterable<FileRecord[]> {
  if (name === undefined) return names.listFiles({}, page);
  const wanted = tryParseName(name);
  return wanted === undefined ? noFiles() : names.listFiles({ name: wanted }, page);
}

/** The empty key is the root. Faults: same as `findFile`. */
export async function findFolder(names: FileTree, selector: FolderSelector): Promise<FolderRecord> {
  const folder = await lookUpFolder(names, selector);
  if (folder === undefined) throw noSuchFolder();
  return folder;
}

function lookUpFolder(
  names: FileTree,
  selector: FolderSelector,
): MaybePromise<FolderRecord | undefined> {
  if (selector === "top") return names.topFolder();
  if ("id" in selector) return names.folderById(selector.id);
  return names.folderByKey(parseKey(selector.key));
}

/** A folder with its files and direct subfolders. The lists are read as they are consumed. */
export interface FolderView {
  readonly folder: FolderRecord;
  files(page: Page): AsyncIterable<FileRecord[]>;
  /** By name. `after`: only those after this name. */
  folders(after?: Name): AsyncIterable<FolderRecord[]>;
  foldersWithPeek(): AsyncIterable<PeekedFolder[]>;
}

/** The empty key is the root. Fault "not_found": there is no such folder. */
export async function browseFolder(names: FileTree, selector: FolderSelector): Promise<FolderView> {
  const folder = await findFolder(names, selector);
  return {
    folder,
    files: (page) => names.listFiles({ folderId: folder.id }, page),
    folders: (after) => names.listFolders(folder.id, undefined, after),
    foldersWithPeek: () => names.listFoldersWithPeek(folder.id),
  };
}

export const noSuchFile = (): Fault => new Fault("not_found", "File not found.");

export const noSuchFolder = (): Fault => new Fault("not_found", "Folder not found.");

async function* noFiles(): AsyncGenerator<never> {}
