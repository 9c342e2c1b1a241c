import type { Measure } from "../catalog/port/file-tree.ts";
import type { FileService } from "../files/file-service.ts";
import { type FolderView, noSuchFile } from "../files/find.ts";
import type { Archive } from "../files/zip/archive.ts";
import { joinKey, keyNames, ROOT_KEY } from "../rules/name.ts";
import type { FileRecord, FolderRecord, Key } from "../rules/records.ts";

/**
 * What visitors may read of a folder. Paths are relative to it; the empty one is the folder itself. Each
 * call decides anew what is below. Fault "not_found".
 */
export interface SharedFolder {
  file(path: Key): Promise<FileRecord>;
  folder(path: Key): Promise<FolderView>;
  /** Counts what is below. */
  measure(path: Key): Promise<Measure>;
  /** Faults "too_large" and "unavailable" as of `Archives`. */
  archive(path: Key, signal?: AbortSignal): Promise<Archive>;
}

/** `files` must be limited to the folder. */
export function createSharedFolder(files: FileService, { key }: FolderRecord): SharedFolder {
  const below = (path: Key): Key => joinKey([...keyNames(key), ...keyNames(path)]);
  return {
    async file(path) {
      if (path === ROOT_KEY) throw noSuchFile();
      return files.find({ key: below(path) }, "read");
    },
    folder: (path) => files.browse({ key: below(path) }),
    measure: (path) => files.measure({ key: below(path) }),
    archive: (path, signal) => files.archive.folder({ key: below(path) }, signal),
  };
}
