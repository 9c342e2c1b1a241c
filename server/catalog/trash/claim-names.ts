import type { Name } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { type Holder, holdersOf } from "../records/taken-names.ts";
import { endFilesIn } from "./end-files.ts";

/**
 * Which of the names are taken in the folder, and by what, for a change that takes the others. A file that has ended
 * moves to the trash, so its name is free. The folder or the tree must be locked.
 */
export async function claimNames(
  tx: Tx,
  folderId: string,
  names: readonly Name[],
): Promise<Map<string, Holder>> {
  const taken = new Map<string, Holder>();
  const ended: string[] = [];
  for (const { id, name, holder, isEnded } of await holdersOf(tx, folderId, names)) {
    if (isEnded === 0) taken.set(name, holder);
    else ended.push(id);
  }
  if (ended.length > 0) await endFilesIn(tx, folderId, ended);
  return taken;
}

/** What in the folder has this name, as `claimNames` says. */
export async function claimName(tx: Tx, folderId: string, name: Name): Promise<Holder | undefined> {
  return (await claimNames(tx, folderId, [name])).get(name);
}
