import type { FolderSources } from "../engine.ts";
import { type Item, keyOf, modifiedOf, type Source } from "../item.ts";
import type { Queue } from "../queue.ts";

export interface MatchedFiles {
  /** The contents of interrupted items, by their ids. */
  readonly matched: ReadonlyMap<number, Source>;
  /** Files that belong to none of them. */
  readonly rest: readonly Source[];
}

/** Whether this is the file that the item was about: the same name, size and time of change. */
export const isSameFile = (item: Item, { name, content }: Source): boolean =>
  item.name.normalize("NFC") === name.normalize("NFC") &&
  item.size === content.size &&
  item.modified !== undefined &&
  item.modified === modifiedOf(content);

/** Finds the interrupted items that these files continue. `anyFolder`: also items of other folders. */
export function matchFiles(
  queue: Queue,
  sources: readonly Source[],
  anyFolder: boolean,
): MatchedFiles {
  const open = queue.filter(({ state, group }) => state === "interrupted" && group === undefined);
  const byName = new Map<string, Item[]>();
  for (const item of open) {
    const name = item.name.normalize("NFC");
    byName.set(name, [...(byName.get(name) ?? []), item]);
  }
  const matched = new Map<number, Source>();
  const rest: Source[] = [];
  for (const source of sources) {
    const item = (byName.get(source.name.normalize("NFC")) ?? []).find(
      (each) =>
        !matched.has(each.id) &&
        isSameFile(each, source) &&
        (anyFolder || each.folder === source.folder),
    );
    if (item === undefined) rest.push(source);
    else matched.set(item.id, source);
  }
  return { matched, rest };
}

export interface MatchedFolder {
  /** Files that are as they were, by the ids of their items. */
  readonly same: ReadonlyMap<number, Source>;
  /** Files that have changed since their upload started, by the ids of their items. */
  readonly changed: ReadonlyMap<number, Source>;
  /** Items whose files do not exist any more. */
  readonly missing: ReadonlySet<number>;
  /** Files that the folder did not have. */
  readonly added: readonly Source[];
  /** The batch has a file that has changed or does not exist any more, so it cannot be used. */
  readonly isStale: boolean;
}

/** Compares the items of an interrupted folder with what is in the folder now. */
export function matchFolder(items: readonly Item[], { files }: FolderSources): MatchedFolder {
  const sources = new Map(files.map((source) => [keyOf(source), source]));
  const same = new Map<number, Source>();
  const changed = new Map<number, Source>();
  const missing = new Set<number>();
  let isStale = false;
  for (const item of items) {
    const key = keyOf(item);
    const source = sources.get(key);
    sources.delete(key);
    if (source !== undefined && isSameFile(item, source)) {
      same.set(item.id, source);
      continue;
    }
    if (item.state === "done") isStale = true;
    if (source === undefined) missing.add(item.id);
    else changed.set(item.id, source);
  }
  return { same, changed, missing, added: [...sources.values()], isStale };
}
