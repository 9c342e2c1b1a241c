import { EVERYTHING, type SeenBy } from "../../domain/callers/caller.ts";
import { keyNames } from "../../domain/names/name.ts";
import type { FolderRecord, Key, Name } from "../../domain/records.ts";
import { paddedChunks } from "../engine/chunks.ts";
import {
  type PreparedStatement,
  preparedForItems,
  type StatementRunner,
  type WithItems,
} from "../engine/prepared-statement.ts";
import { keysWithin } from "../records/object-folders.ts";
import { isLive } from "../records/outside-tree.ts";
import type { TrashFoldersTable, TrashItemsTable } from "../tables/trash.ts";

type Runner = Pick<StatementRunner, "all">;
type Item = Pick<TrashItemsTable, "key" | "parent_ids">;

/** The folder that an item belongs to. */
export interface TrashPlace {
  /** The deepest of the folders that contained it and are in the tree, or have a stand-in there. */
  readonly folderId: string;
  /** The folders from there to the item, which are gone. */
  readonly path: readonly GoneFolder[];
}

export interface GoneFolder {
  readonly id: string;
  /** The last one that it had. */
  readonly name: Name;
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

/** The items that belong to a folder that the caller sees, in the given order. */
export async function placedItems<T extends Item>(
  runner: Runner,
  { within }: SeenBy,
  items: readonly T[],
): Promise<PlacedItem<T>[]> {
  const places = await locate(runner, items);
  const ids = [...new Set(places.map(({ folderId }) => folderId))];
  // With a limit the keys are those of the statement that checks it, as folders may move meanwhile.
  const inside = within === EVERYTHING ? undefined : await keysWithin(runner, ids, within);
  return items.flatMap((item, index) => {
    const place = places[index];
    const name = keyNames(item.key).at(-1);
    const folder = place && (inside === undefined ? place.folderKey : inside.get(place.folderId));
    if (place === undefined || name === undefined || folder === undefined) return [];
    const path = place.path.map((gone) => gone.name);
    return { item, name, key: [...keyNames(folder), ...path, name].join("/") };
  });
}

/** The places of the items, in their order, and the current keys of the folders. */
async function locate(
  runner: Runner,
  items: readonly Item[],
): Promise<(TrashPlace & { readonly folderKey: Key })[]> {
  const parents = items.map(({ parent_ids }) => parent_ids.split(","));
  const known = await knownFolders(runner, [...new Set(parents.flat())]);
  return items.map(({ key }, index) => {
    const ids = parents[index] ?? [];
    const found = ids.map((id) => known.live.get(standInOf(id, known)));
    const depth = found.findLastIndex((folder) => folder !== undefined);
    const folder = found[depth];
    if (folder === undefined) throw new Error("The catalog has lost its root folder.");
    // The names in the key begin below the root, whose id is the first one.
    const names = keyNames(key);
    const path = ids.slice(depth + 1).flatMap((id, at): GoneFolder | [] => {
      const name = known.gone.get(id)?.name ?? names[depth + at];
      return name === undefined ? [] : { id, name };
    });
    return { folderId: folder.id, folderKey: folder.key, path };
  });
}

interface KnownFolders {
  readonly live: ReadonlyMap<string, LiveFolder>;
  readonly gone: ReadonlyMap<string, RememberedFolder>;
}

/** The folder itself if it is in the tree, else the last of those that were made in its place. */
function standInOf(id: string, { live, gone }: KnownFolders): string {
  let last = id;
  while (!live.has(last)) {
    const next = gone.get(last)?.stand_in_id;
    if (next === undefined || next === null) break;
    last = next;
  }
  return last;
}

/** The folders with these ids, and the stand-ins of those that are gone. */
async function knownFolders(runner: Runner, ids: readonly string[]): Promise<KnownFolders> {
  const live = new Map<string, LiveFolder>();
  const gone = new Map<string, RememberedFolder>();
  for (let wanted = ids; wanted.length > 0; ) {
    for (const row of await rowsOf(runner, selectLive, wanted)) live.set(row.id, row);
    const missing = wanted.filter((id) => !live.has(id));
    const remembered = await rowsOf(runner, selectRemembered, missing);
    for (const row of remembered) gone.set(row.id, row);
    wanted = remembered.flatMap(({ stand_in_id: id }) =>
      id === null || live.has(id) || gone.has(id) ? [] : [id],
    );
  }
  return { live, gone };
}

async function rowsOf<Row>(
  runner: Runner,
  select: (
    count: number,
  ) => PreparedStatement<WithItems<{ id: string }, Record<never, never>>, Row>,
  ids: readonly string[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const chunk of paddedChunks(ids)) {
    const items = chunk.map((id) => ({ id }));
    rows.push(...(await runner.all(select(items.length), { items, shared: {} })));
  }
  return rows;
}

type LiveFolder = Pick<FolderRecord, "id" | "key">;

const selectLive = preparedForItems<{ id: string }, Record<never, never>, LiveFolder>((db, items) =>
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

type RememberedFolder = Pick<TrashFoldersTable, "id" | "name" | "stand_in_id">;

const selectRemembered = preparedForItems<{ id: string }, Record<never, never>, RememberedFolder>(
  (db, items) =>
    db
      .selectFrom("trash_folders")
      .select(["id", "name", "stand_in_id"])
      .where(
        "id",
        "in",
        items.map((item) => item("id")),
      ),
);
