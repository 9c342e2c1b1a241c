import { keyNames } from "../../rules/name.ts";
import type { Key, Name } from "../../rules/records.ts";
import { paddedChunks } from "../chunks.ts";
import type { Within } from "../port/file-tree.ts";
import { preparedForItems, type StatementRunner } from "../prepared-statement.ts";
import type { TrashItemsTable } from "../tables/trash.ts";
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
  return (await locate(runner, items)).map(({ folderId, path }) => ({ folderId, path }));
}

/** An item, and where a restore puts it, which may be longer than a key can be. */
export interface PlacedItem<T> {
  readonly item: T;
  readonly name: Name;
  readonly key: string;
}

/** Those of the items that belong to a folder within the limit, in their order. */
export async function placedItems<T extends Item>(
  runner: Runner,
  items: readonly T[],
  within: Within | undefined,
): Promise<PlacedItem<T>[]> {
  const places = await locate(runner, items);
  const ids = [...new Set(places.map(({ folderId }) => folderId))];
  // With a limit the keys are those of the statement that checks it, as folders may move meanwhile.
  const inside = within === undefined ? undefined : await keysWithin(runner, ids, within);
  return items.flatMap((item, index) => {
    const place = places[index];
    const name = keyNames(item.key).at(-1);
    const folder = place && (inside === undefined ? place.folderKey : inside.get(place.folderId));
    if (place === undefined || name === undefined || folder === undefined) return [];
    return { item, name, key: [...keyNames(folder), ...place.path, name].join("/") };
  });
}

/** The items that belong to a folder within the limit. */
export async function itemsWithin<T extends Item>(
  runner: Runner,
  items: readonly T[],
  within: Within,
): Promise<T[]> {
  return (await placedItems(runner, items, within)).map(({ item }) => item);
}

/** The places of the items, in their order, and the current keys of the folders. */
async function locate(
  runner: Runner,
  items: readonly Item[],
): Promise<(TrashPlace & { readonly folderKey: Key })[]> {
  const parents = items.map(({ parent_ids }) => parent_ids.split(","));
  const live = await liveFolders(runner, [...new Set(parents.flat())]);
  return items.map(({ key }, index) => {
    const ids = parents[index] ?? [];
    const depth = ids.findLastIndex((id) => live.has(id));
    const folderId = ids[depth];
    const folderKey = live.get(folderId ?? "");
    if (folderId === undefined || folderKey === undefined) {
      throw new Error("The catalog has lost its root folder.");
    }
    return { folderId, folderKey, path: keyNames(key).slice(depth, -1) };
  });
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
