import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import type { Within } from "../port/file-tree.ts";
import { isInFolders } from "./is-in-folders.ts";
import { isLive } from "./outside-tree.ts";

/**
 * Whether all these folders exist and are inside the limit of the caller; undefined: there is none.
 * Each of them, or the tree, must be locked: no folder can then be moved into or out of the limit
 * before the transaction ends, since that would change the keys of locked folders.
 */
export async function areWithin(
  tx: Tx,
  folderIds: readonly string[],
  within: Within | undefined,
): Promise<boolean> {
  if (within === undefined) return true;
  return (await foldersWithin(tx, folderIds, within)).size === new Set(folderIds).size;
}

/** Which of the folders exist and are inside the limit. What `areWithin` says of locks holds here too. */
export async function foldersWithin(
  tx: Tx,
  folderIds: readonly string[],
  within: Within | undefined,
): Promise<Set<string>> {
  const inside = new Set<string>();
  for (const chunk of chunks(folderIds)) {
    const rows = await tx.db
      .selectFrom("folders")
      .select("folders.id")
      .where("folders.id", "in", chunk)
      .where(isLive)
      .$if(within !== undefined, (query) => query.where(isInFolders(within ?? [])))
      .execute();
    for (const { id } of rows) inside.add(id);
  }
  return inside;
}
