import { Fault } from "../../domain/faults/fault.ts";
import { childKey, splitKey } from "../../domain/names/name.ts";
import { numberedFolderName } from "../../domain/names/numbered-name.ts";
import type { Key, Name } from "../../domain/records.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { selectFolders } from "../records/select-records.ts";
import { claimNames } from "../trash/claim-names.ts";
import { lockTree } from "./folder-locks.ts";

/**
 * For the creation of the folder that `freeFolder` has found: only folders wait for the tree, so a file may have taken the
 * name since. The transaction then starts again.
 */
export async function retryIfTaken<T>(creation: Promise<T>): Promise<T> {
  try {
    return await creation;
  } catch (cause) {
    throw cause instanceof Fault && cause.code === "name_taken" ? new RetryTransaction() : cause;
  }
}

/** Numbers tried with one query. */
const TRIES = 32;

/**
 * The key of a folder that does not exist: this one, or with the first free number at its end. No other
 * folder can get it before the transaction ends. Must take the first locks of folders in the
 * transaction. The name of a folder that moves there counts as free: `own`.
 */
export async function freeFolder(tx: Tx, key: Key, own?: Key): Promise<Key> {
  const place = splitKey(key);
  if (place === undefined) throw new Error("The root always exists.");
  await lockTree(tx);
  const parent = await selectFolders(tx.db)
    .where("folders.key", "=", place.folder)
    .executeTakeFirst();
  if (parent === undefined) return key;
  for (let from = 1; from < 100_000; from += TRIES) {
    const tries = Array.from({ length: TRIES }, (_, at) => numbered(place.name, from + at));
    const taken = await claimNames(tx, parent.id, tries);
    const free = tries.find((each) => !taken.has(each) || childKey(place.folder, each) === own);
    if (free !== undefined) return childKey(place.folder, free);
  }
  throw new Fault("conflict", `There are too many folders like "${place.name}".`, {
    code: "name_taken",
    details: { name: place.name },
  });
}

const numbered = (name: Name, number: number): Name =>
  number === 1 ? name : numberedFolderName(name, number);
