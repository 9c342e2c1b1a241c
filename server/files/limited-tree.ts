import type { FileTree, Within } from "../catalog/port/file-tree.ts";
import type { FolderRecord } from "../domain/records.ts";
import { chain } from "../lib/maybe-promise.ts";

/**
 * The files and folders that are in all of some folders. Everything else looks missing, also in
 * changes, which check it in their transaction. The top folder has no parent here. Written out, because
 * a forward that was derived without its limit would show everything.
 */
export function limitTree(tree: FileTree, within: Within): FileTree {
  const withoutParent = <F extends FolderRecord | undefined>(folder: F): F =>
    folder !== undefined && within.includes(folder.id) ? { ...folder, parentId: null } : folder;

  return {
    fileById: (id) => tree.fileById(id, within),
    fileByKey: (key) => tree.fileByKey(key, within),
    listFiles: (filter, page) => tree.listFiles({ ...filter, within }, page),
    folderById: (id) => chain(tree.folderById(id, within), withoutParent),
    folderByKey: (key) => chain(tree.folderByKey(key, within), withoutParent),
    topFolder: () => chain(tree.topFolder(within), withoutParent),
    listFolders: (parentId, _within, after) => tree.listFolders(parentId, within, after),
    listFoldersWithPeek: (parentId) => tree.listFoldersWithPeek(parentId, within),
    findFolders: (search) => tree.findFolders({ ...search, within }),
    findFiles: (search) => tree.findFiles({ ...search, within }),
    rankFiles: (search) => tree.rankFiles({ ...search, within }),
    countFoundFolders: (search) => tree.countFoundFolders({ ...search, within }),
    countFoundFiles: (search) => tree.countFoundFiles({ ...search, within }),
    folderDefaults: (folder) => tree.folderDefaults(folder, within),
    countVisibility: (below) => tree.countVisibility(below, within),
    measure: (below, _within, signal) => tree.measure(below, within, signal),
    measureEach: (ids, _within, signal) => tree.measureEach(ids, within, signal),
    takenName: (folder, names) => tree.takenName(folder, names, within),
    addFiles: (input) => tree.addFiles({ ...input, within }),
    changeFile: (input) => tree.changeFile({ ...input, within }),
    changeFiles: (input) => tree.changeFiles({ ...input, within }),
    removeFiles: (ids) => tree.removeFiles(ids, within),
    copyFiles: (input) => tree.copyFiles({ ...input, within }),
    copyFolder: (input) => tree.copyFolder({ ...input, within }),
    createFolder: (key) => tree.createFolder(key, within).then(withoutParent),
    changeFolder: (input) => tree.changeFolder({ ...input, within }).then(withoutParent),
    removeFolder: (id) => tree.removeFolder(id, within),
  };
}
