import type { Ref } from "../../domain/callers/ref.ts";
import type { FolderRecord } from "../../domain/records.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { folderIdOf, isRenamed } from "../records/resolve-refs.ts";
import { lockFolders } from "./folder-locks.ts";

/**
 * Locks a folder that a new record is to refer to, so that it stays in the tree and keeps its key until the transaction
 * ends. Returns undefined if no such folder is in the tree. Accounts and API keys are locked before folders.
 */
export async function lockFolderRef(tx: Tx, ref: Ref): Promise<FolderRecord | undefined> {
  return (await lockFolderRefs(tx, [ref]))[0];
}

/** Does the same for several folders, and returns them in the order of the references. */
export async function lockFolderRefs(
  tx: Tx,
  refs: readonly Ref[],
): Promise<(FolderRecord | undefined)[]> {
  const ids: (string | undefined)[] = [];
  for (const ref of refs) ids.push(await folderIdOf(tx, ref));
  const known = [...new Set(ids.filter((id) => id !== undefined))].sort();
  if (known.length === 0) return refs.map(() => undefined);
  const folders = await lockFolders(tx, known);
  return refs.map((ref, place) => {
    const id = ids[place];
    if (id === undefined) return undefined;
    const folder = folders.get(id);
    if (isRenamed(ref, folder)) throw new RetryTransaction();
    return folder;
  });
}
