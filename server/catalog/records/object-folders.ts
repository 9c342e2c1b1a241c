import type { FolderIds } from "../../domain/callers/caller.ts";
import type { FolderRecord, Key } from "../../domain/records.ts";
import { paddedChunks } from "../engine/chunks.ts";
import {
  compiledForItems,
  perShape,
  preparedForItems,
  type StatementRunner,
} from "../engine/prepared-statement.ts";
import { isInFolders } from "./is-in-folders.ts";
import { isLive } from "./outside-tree.ts";
import { selectFolders } from "./select-records.ts";

/** A folder, and whether it was made for an object. */
export interface ObjectFolder {
  readonly folder: FolderRecord;
  readonly implicit: 0 | 1;
}

type Runner = Pick<StatementRunner, "all">;

/** The folders that exist with these keys. */
export async function foldersByKey(runner: Runner, keys: readonly Key[]): Promise<ObjectFolder[]> {
  const found = new Map<string, ObjectFolder>();
  for (const chunk of paddedChunks(keys)) {
    const items = chunk.map((key) => ({ key }));
    const rows = await runner.all(selectByKey(items.length), { items, shared: {} });
    for (const { implicit, ...folder } of rows) found.set(folder.id, { folder, implicit });
  }
  return [...found.values()];
}

const selectByKey = preparedForItems<
  { key: Key },
  Record<never, never>,
  FolderRecord & { implicit: 0 | 1 }
>((db, items) =>
  selectFolders(db)
    .select("folders.implicit")
    .where(
      "folders.key",
      "in",
      items.map((item) => item("key")),
    ),
);

/** The current keys of those of the folders that exist and are within the limits, by id. */
export async function keysWithin(
  runner: Runner,
  folderIds: readonly string[],
  within: FolderIds,
): Promise<Map<string, Key>> {
  const limits = within.map((id) => ({ id }));
  const keys = new Map<string, Key>();
  for (const chunk of paddedChunks(folderIds)) {
    const items = [...limits, ...chunk.map((id) => ({ id }))];
    const statement = selectWithin(limits.length)(items.length);
    for (const { id, key } of await runner.all(statement, { items, shared: {} })) keys.set(id, key);
  }
  return keys;
}

/** By the number of limits, which are the first items. */
const selectWithin = perShape(
  (limits: number) => limits,
  (limits) =>
    compiledForItems<{ id: string }, Record<never, never>, { id: string; key: Key }>(
      (db, items) => {
        const ids = items.map((item) => item("id"));
        return db
          .selectFrom("folders")
          .select(["folders.id", "folders.key"])
          .where("folders.id", "in", ids.slice(limits))
          .where(isLive)
          .where(isInFolders(ids.slice(0, limits)));
      },
    ),
);
