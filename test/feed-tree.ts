import type { ChangeObject, FileObject, FolderObject } from "../contract/api.ts";
import { hostingUrl } from "../server/domain/names/hosting-url.ts";
import type { Key } from "../server/domain/records.ts";

/** A copy of the tree that only the change feed keeps up to date, as a client would. */
export interface FeedTree {
  apply(change: ChangeObject): void;
  /** Everything in it, by id. */
  content(): TreeContent;
}

export interface TreeContent {
  readonly files: readonly FileObject[];
  readonly folders: readonly FolderObject[];
}

/** Sorted by id, for comparison. */
export function sortedContent({ files, folders }: TreeContent): TreeContent {
  return { files: files.toSorted(byId), folders: folders.toSorted(byId) };
}

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

export function createFeedTree(start: TreeContent): FeedTree {
  const files = new Map(start.files.map((file) => [file.id, file]));
  const folders = new Map(start.folders.map((folder) => [folder.id, folder]));

  const inside = <T extends { key: string }>(all: Map<string, T>, key: string): T[] =>
    [...all.values()].filter((each) => isWithin(each.key, key));

  function move(from: string, to: string): void {
    const moved = (key: string): string => to + key.slice(from.length);
    for (const file of inside(files, from)) {
      const key = moved(file.key);
      files.set(file.id, { ...file, key, url: hostingUrl(key as Key) });
    }
    for (const folder of inside(folders, from)) {
      folders.set(folder.id, { ...folder, key: moved(folder.key) });
    }
  }

  return {
    apply({ id, key, fromKey, kind, file, folder, visibility, at }) {
      if (kind === "file.deleted") files.delete(id);
      if (kind === "folder.deleted") {
        for (const each of inside(files, key)) files.delete(each.id);
        for (const each of inside(folders, key)) folders.delete(each.id);
      }
      if (kind === "folder.moved" && fromKey !== null) move(fromKey, key);
      if (file !== null) files.set(id, file);
      if (folder !== null) folders.set(id, folder);
      if (visibility !== null) {
        for (const each of inside(files, key)) {
          if (each.visibility !== visibility) {
            files.set(each.id, { ...each, visibility, updatedAt: at });
          }
        }
      }
    },
    content: () => sortedContent({ files: [...files.values()], folders: [...folders.values()] }),
  };
}

const isWithin = (key: string, folder: string): boolean =>
  folder === "" || key === folder || key.startsWith(`${folder}/`);
