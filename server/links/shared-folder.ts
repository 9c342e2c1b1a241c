import type { Measure } from "../catalog/port/file-tree.ts";
import type { Authorized } from "../domain/callers/authorize.ts";
import { joinKey, keyNames, MAX_NAME_BYTES, ROOT_KEY, tryParseName } from "../domain/names/name.ts";
import type { FileRecord, FolderRecord, Key, Name } from "../domain/records.ts";
import type { FileService } from "../files/file-service.ts";
import { type FolderView, noSuchFile } from "../files/find.ts";
import { type Archive, type ArchivedName, archiveName } from "../files/zip/archive.ts";
import type { PlanLimit } from "./plan-limit.ts";

/**
 * What visitors may read of a folder. Paths are relative to it; the empty one is the folder itself. Each
 * call decides anew what is below. Fault "not_found".
 */
export interface SharedFolder {
  file(path: Key): Promise<FileRecord>;
  folder(path: Key): Promise<FolderView>;
  /** Counts what is below. Throws `ConnectionClosed` soon after `signal` is aborted. */
  measure(path: Key, signal?: AbortSignal): Promise<Measure>;
  /** The file name of `archive`. */
  archiveName(path: Key): Promise<string>;
  /** Faults "too_large" and "unavailable", as for `Archives`; "unavailable" also as for `PlanLimit`. */
  archive(path: Key, signal?: AbortSignal): Promise<Archive>;
  /** Some files. Faults as for `archive`; "invalid": none, or too many. */
  archiveFiles(paths: readonly Key[], signal?: AbortSignal): Promise<Archive>;
}

export interface SharedFolderDeps {
  readonly files: Pick<FileService, "findToRead" | "browse" | "measure" | "archive">;
  readonly planLimit: PlanLimit;
  /** Visitors must not see the folder's name, but this title; null: they may see the name. */
  readonly title: string | null;
}

/** `visitor`: limited to the folder. */
export function createSharedFolder(
  visitor: Authorized<"read" | "list">,
  { key }: FolderRecord,
  { files, planLimit, title }: SharedFolderDeps,
): SharedFolder {
  const topName = title === null ? undefined : (titleName(title) ?? "");
  const nameAt = (path: Key): ArchivedName | undefined => (path === ROOT_KEY ? topName : undefined);
  const below = (path: Key): Key => joinKey([...keyNames(key), ...keyNames(path)]);
  return {
    async file(path) {
      if (path === ROOT_KEY) throw noSuchFile();
      return files.findToRead(visitor, { key: below(path) });
    },
    folder: (path) => files.browse(visitor, { key: below(path) }),
    measure: (path, signal) => files.measure(visitor, { key: below(path) }, signal),
    async archiveName(path) {
      const { folder } = await files.browse(visitor, { key: below(path) });
      return archiveName(nameAt(path) ?? folder.name);
    },
    archive: (path, signal) =>
      planLimit(() => files.archive.folder(visitor, { key: below(path) }, signal, nameAt(path))),
    archiveFiles: (paths, signal) =>
      planLimit(() => {
        const ids = paths.map((path) => ({ key: below(path) }));
        return files.archive.selection(visitor, { ids, folderIds: [] }, signal);
      }),
  };
}

/**
 * A title as the name of a folder in a zip: slashes and control characters become spaces, and a long title
 * is cut. undefined: no name can be made of it.
 */
export function titleName(title: string): Name | undefined {
  let text = title
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cc}/\\\s]+/gu, " ")
    .trim();
  // Room for ".zip".
  while (Buffer.byteLength(text) > MAX_NAME_BYTES - 4) text = [...text].slice(0, -1).join("");
  return tryParseName(text);
}
