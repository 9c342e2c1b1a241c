import type { FolderSources } from "./engine.ts";
import { type Item, itemOf, modifiedOf, type Source } from "./item.ts";
import { type MatchedFolder, matchFiles, matchFolder } from "./records/match.ts";
import type { Work } from "./work.ts";

/**
 * Continues interrupted files with these contents. Returns the files that belong to none of them.
 * `anyFolder`: also those that were for another folder.
 */
export function continueFiles(
  work: Work,
  sources: readonly Source[],
  anyFolder: boolean,
): readonly Source[] {
  const { matched, rest } = matchFiles(work.items, sources, anyFolder);
  if (matched.size > 0) work.items = withContents(work.items, matched);
  return rest;
}

/**
 * Continues an interrupted folder with what is in it now. Returns the batches that cannot be used any
 * more, because a file in them has changed since.
 */
export function continueFolder(
  work: Work,
  group: number,
  sources: FolderSources,
): readonly string[] {
  const { emptyFolders } = sources;
  const before = work.group(group);
  if (before === undefined) return [];
  const items = work.itemsOf(group);
  const found = matchFolder(items, sources);
  const newItem = (source: Source): Item => ({ ...itemOf(work.nextId(), source), group });
  if (found.isStale) {
    work.items = [
      ...work.items.filter((item) => item.group !== group),
      ...sources.files.map(newItem),
    ];
    work.changeGroup(group, { emptyFolders, batches: [], state: "checking" });
    return before.batches;
  }
  work.items = [...withFolder(work.items, found), ...found.added.map(newItem)];
  const state = before.batches.length > 0 ? "opening" : "checking";
  work.changeGroup(group, { emptyFolders, state });
  return [];
}

function withFolder(items: readonly Item[], found: MatchedFolder): Item[] {
  return withContents(items, found.same)
    .filter(({ id }) => !found.missing.has(id))
    .map((item) => {
      const source = found.changed.get(item.id);
      if (source === undefined) return item;
      const { content, handle } = source;
      const size = content.size;
      const modified = modifiedOf(content);
      const fresh = { url: undefined, sent: 0, state: "waiting" as const };
      return { ...item, ...fresh, content, handle, size, modified };
    });
}

function withContents(items: readonly Item[], contents: ReadonlyMap<number, Source>): Item[] {
  return items.map((item) => {
    const source = contents.get(item.id);
    if (source === undefined) return item;
    const { content, handle = item.handle } = source;
    // A stored file keeps its content, in case the server has lost its batch.
    const state = item.state === "interrupted" ? "waiting" : item.state;
    return { ...item, content, handle, state, message: undefined };
  });
}
