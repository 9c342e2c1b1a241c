import type { Kysely } from "kysely";
import { sql } from "kysely";
import { limitsOf, type SeenBy } from "../../domain/callers/caller.ts";
import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import type { Key } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import type { Measure } from "../port/file-tree.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { isLasting } from "../records/outside-tree.ts";
import { filesInFolders, walkFiles, walkFolders } from "./walk-below.ts";

const count = sql<number>`count(*)`;

export function createMeasure(db: Kysely<Schema>) {
  return async (caller: SeenBy, below: Key, signal?: AbortSignal): Promise<Measure> => {
    const folders = await countFoldersBelow(db, caller, below, signal);
    let [files, bytes] = [0, 0];
    const start = { folder: below, after: null };
    for await (const range of walkFiles(db, below, ["size", "id"], start)) {
      stopIfGone(signal);
      const row = await filesInFolders(db)
        .select([count.as("files"), sql<number>`coalesce(sum(files.size), 0)`.as("bytes")])
        .where(range)
        .where(isLasting)
        .where(isInFolders(limitsOf(caller.within)))
        .executeTakeFirst();
      files += Number(row?.files ?? 0);
      bytes += Number(row?.bytes ?? 0);
    }
    return { files, folders, bytes };
  };
}

/** For use between statements. */
export function stopIfGone(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new ConnectionClosed("The connection closed before everything was measured.");
  }
}

/** The number of folders at any depth below the one with this key. */
export async function countFoldersBelow(
  db: Kysely<Schema>,
  caller: SeenBy,
  below: Key,
  signal?: AbortSignal,
): Promise<number> {
  let folders = 0;
  for await (const range of walkFolders(db, below)) {
    stopIfGone(signal);
    const row = await db
      .selectFrom("folders")
      .select(count.as("folders"))
      .where(range)
      .where(isInFolders(limitsOf(caller.within)))
      .executeTakeFirst();
    folders += Number(row?.folders ?? 0);
  }
  return folders;
}
