import type { FileTree } from "../catalog/port/file-tree.ts";
import type { Versions } from "../catalog/port/versions.ts";
import { findDestination } from "../domain/callers/authorize.ts";
import type { SeenBy } from "../domain/callers/caller.ts";
import { type Ref, selectorOf } from "../domain/callers/ref.ts";
import type { FileRecord, FolderRecord, Key } from "../domain/records.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";
import {
  type FolderSelector,
  findFile,
  findFolder,
  noSuchFile,
  noSuchVersion,
  type Selector,
} from "./find.ts";

/**
 * Looks up what requests name, for callers whose actions are not known yet: what a caller does not see is missing,
 * whatever its actions are. Fault "not_found".
 */
export interface Lookups extends TreeLookups {
  /** Fault "not_found": none of the versions exists. */
  anyVersion(caller: SeenBy, ids: readonly string[]): Promise<void>;
}

/** The lookups of files and folders. */
export interface TreeLookups {
  file(caller: SeenBy, selector: Selector): Promise<FileRecord>;
  /** Fault "not_found": none of the files exists. */
  anyFile(caller: SeenBy, refs: readonly Ref[]): Promise<void>;
  /** Fault "not_found": one of the files does not exist. */
  allFiles(caller: SeenBy, refs: readonly Ref[]): Promise<void>;
  /** The file with this key; undefined: the caller sees none. */
  fileAt(caller: SeenBy, key: Key): MaybePromise<FileRecord | undefined>;
  folder(caller: SeenBy, selector: FolderSelector): Promise<FolderRecord>;
  /** Fault "not_found": one of the folders does not exist. */
  allFolders(caller: SeenBy, ids: readonly string[]): Promise<void>;
  /** The folder to put something into, which need not exist. Default: the top folder. */
  destination(caller: SeenBy, folder: Key | undefined): Promise<Key>;
}

export const createLookups = (catalog: FileTree & Pick<Versions, "versionById">): Lookups => ({
  ...createTreeLookups(catalog),
  async anyVersion(caller, ids) {
    for (const id of ids) {
      if ((await catalog.versionById(caller, id)) !== undefined) return;
    }
    throw noSuchVersion();
  },
});

export const createTreeLookups = (tree: FileTree): TreeLookups => ({
  file: (caller, selector) => findFile(caller, tree, selector),
  async anyFile(caller, refs) {
    for (const ref of refs) {
      const found =
        typeof ref === "string"
          ? await tree.fileById(caller, ref)
          : await tree.fileByKey(caller, ref.key);
      if (found !== undefined) return;
    }
    throw noSuchFile();
  },
  async allFiles(caller, refs) {
    for (const ref of refs) await findFile(caller, tree, selectorOf(ref));
  },
  fileAt: tree.fileByKey,
  folder: (caller, selector) => findFolder(caller, tree, selector),
  async allFolders(caller, ids) {
    for (const id of ids) await findFolder(caller, tree, { id });
  },
  destination: (caller, folder) => findDestination(caller, tree, folder),
});
