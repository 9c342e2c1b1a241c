import { keyNames } from "../../rules/name.ts";
import type { Key, Name } from "../../rules/records.ts";
import { paddedChunks } from "../chunks.ts";
import type { Within } from "../port/file-tree.ts";
import { preparedForItems, type StatementRunner } from "../prepared-statement.ts";
import type { TrashItemsTable } from "../schema.ts";
import { keysWithin } from "./object-folders.ts";
import { isLive } from "./outside-tree.ts";

type Runner = Pick<StatementRunner, "all">;
type Item = Pick<TrashItemsTable, "key" | "parent_ids">;

/** Where an item belongs. */
export interface TrashPlace {
  /** The deepest of the folders that contained it and are in the tree. */
  readonly folderId: string;
  /** The names from there to the item, without its own. */
  readonly path: readonly Name[];
}

/** The places of the items, in their order. */
export async function placesOf(runner: Runner, items: readonly Item[]): Promise<TrashPlace[]> {
  const parents = items.map(({ parent_ids }) => parent_ids.split(","));
  const live = await liveFolders(runner, [...new Set(parents.flat())]);
  return items.map(({ key }, index): TrashPlace => {
    const ids = parents[index] ?? [];
    const depth = ids.findLastIndex((id) => live.has(id));
    const folderId = ids[depth];
    if (folderId === undefined) throw new Error("The catalog has lost its root folder.");
    return { folderId, path: keyNames(key).slice(depth, -1) };
  });
}

/** The items that belong to a folder within the limit. */
export async function itemsWithin<T extends Item>(
  runner: Runner,
  items: readonly T[],
  within: Within,
): Promise<T[]> {
  const places = await placesOf(runner, items);
  const ids = [...new Set(places.map(({ folderId }) => folderId))];
  const inside = await keysWithin(runner, ids, within);
  return items.filter((_, index) => inside.has(places[index]?.folderId ?? ""));
}

async function liveFolders(runner: Runner, ids: readonly string[]): Promise<Map<string, Key>> {
  const live = new Map<string, Key>();
  for (const chunk of paddedChunks(ids)) {
    const items = chunk.map((id) => ({ id }));
    const rows = await runner.all(selectLive(items.length), { items, shared: {} });
    for (const { id, key } of rows) live.set(id, key);
  }
  return live;
}

const selectLive = preparedForItems<{ id: string }, Record<never, never>, { id: string; key: Key }>(
  (db, items) =>
    db
      .selectFrom("folders")
      .select(["folders.id", "folders.key"])
      .where(
        "folders.id",
        "in",
        items.map((item) => item("id")),
      )
      .where(isLive),
);
