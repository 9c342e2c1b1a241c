import { EVERYTHING, limitsOf } from "../../domain/callers/caller.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { isInFolders } from "./is-in-folders.ts";
import { isLive } from "./outside-tree.ts";

/**
 * Whether all these folders are inside the limit of the caller, and so exist. Without a limit: true.
 * Each of them, or the tree, must be locked: no folder can then be moved into or out of the limit
 * before the transaction ends, since that would change the keys of locked folders.
 */
export async function areWithin(tx: Tx, folderIds: readonly string[]): Promise<boolean> {
  if (tx.within === EVERYTHING) return true;
  return (await foldersWithin(tx, folderIds)).size === new Set(folderIds).size;
}

/** Which of the folders exist and are inside the limit. What `areWithin` says of locks holds here too. */
export async function foldersWithin(tx: Tx, folderIds: readonly string[]): Promise<Set<string>> {
  const inside = new Set<string>();
  for (const chunk of chunks(folderIds)) {
    const rows = await tx.db
      .selectFrom("folders")
      .select("folders.id")
      .where("folders.id", "in", chunk)
      .where(isLive)
      .where(isInFolders(limitsOf(tx.within)))
      .execute();
    for (const { id } of rows) inside.add(id);
  }
  return inside;
}
