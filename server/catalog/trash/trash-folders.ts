import type { Name } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";

/*
 * What the trash remembers of folders that contained its items: the last name of one that was renamed,
 * and the folder that a restore made for one that was gone. The tree must be locked.
 */

export interface StandIn {
  readonly id: string;
  readonly name: Name;
  /** The folder that was made in its place. */
  readonly standInId: string;
}

/** The folder is in the tree and has a new name. Items have the name that it had when they were deleted. */
export async function rememberName(tx: Tx, { id, name }: { id: string; name: Name }) {
  await tx.db.deleteFrom("trash_folders").where("id", "=", id).execute();
  await remember(tx, [{ id, name, stand_in_id: null }]);
}

/** From now on, a restore puts into the stand-in what belongs to the folder that is gone. */
export async function rememberStandIns(tx: Tx, standIns: readonly StandIn[]): Promise<void> {
  for (const chunk of chunks(standIns.map(({ id }) => id))) {
    await tx.db.deleteFrom("trash_folders").where("id", "in", chunk).execute();
  }
  await remember(
    tx,
    standIns.map(({ id, name, standInId }) => ({ id, name, stand_in_id: standInId })),
  );
}

/** The stand-ins among these folders, by the ids of the folders that are gone. */
export async function standInsAmong(
  tx: Tx,
  folderIds: readonly string[],
): Promise<Map<string, string>> {
  const standIns = new Map<string, string>();
  for (const chunk of chunks(folderIds)) {
    const rows = await tx.db
      .selectFrom("trash_folders")
      .select(["id", "stand_in_id"])
      .where("stand_in_id", "in", chunk)
      .execute();
    for (const { id, stand_in_id } of rows) if (stand_in_id !== null) standIns.set(id, stand_in_id);
  }
  return standIns;
}

/** Forgets folders for which no item can be left. All items that have expired must have been purged. */
export async function forgetFolders(tx: Tx): Promise<void> {
  await tx.db.deleteFrom("trash_folders").where("expires_at", "<=", tx.now).execute();
}

/** Until the last item of today expires: later ones have the names of their time. */
async function remember(
  tx: Tx,
  rows: readonly { id: string; name: Name; stand_in_id: string | null }[],
): Promise<void> {
  const last = await tx.db
    .selectFrom("trash_deletions")
    .select("expires_at")
    .orderBy("expires_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return;
  for (const chunk of chunks(rows)) {
    await tx.db
      .insertInto("trash_folders")
      .values(chunk.map((row) => ({ ...row, expires_at: last.expires_at })))
      .execute();
  }
}
