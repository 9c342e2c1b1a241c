import { keyNames, ROOT_KEY, rejectC1, splitKey } from "../../domain/names/name.ts";
import type { FolderRecord, Key, Name } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { areWithin } from "../records/are-within.ts";
import { selectFolders } from "../records/select-records.ts";
import { nameTaken } from "../records/taken-names.ts";
import { claimNames } from "../trash/claim-names.ts";
import { lockFolders, lockTree } from "./folder-locks.ts";
import { noSuchFolder } from "./folder-path.ts";
import { type FolderDefaultsOf, insertFolders, newFolder } from "./insert-folders.ts";

export interface EnsuredFolders {
  readonly byKey: ReadonlyMap<Key, FolderRecord>;
  /** The folders that were missing; a parent comes before what it contains. */
  readonly created: readonly FolderRecord[];
}

/**
 * The folders with these keys, all in or below `top`, locked; the missing ones and their ancestors are
 * created, with their own `defaults`. Must take the first locks of folders in the transaction. Faults: same as `ensureFolder`.
 */
export async function ensureFolders(
  tx: Tx,
  top: Key,
  keys: readonly Key[],
  defaults: ReadonlyMap<Key, FolderDefaultsOf> = new Map(),
): Promise<EnsuredFolders> {
  await lockTree(tx);
  const paths = withAncestors(keys);
  // Nothing else can create, move or remove folders from here on, so their keys stay true.
  const byKey = await foldersByKey(tx, withAncestors([top, ...keys]));
  await rejectOutside(tx, byKey, top);
  const missing = paths.filter((key) => !byKey.has(key));
  const locked = new Set([...keys, ...missing.map(parentOf)].map((key) => byKey.get(key)?.id));
  for (const ids of chunks([...locked].filter((id) => id !== undefined).sort())) {
    await lockFolders(tx, ids);
  }
  await rejectFiles(tx, byKey, missing);
  const created: FolderRecord[] = [];
  for (const key of missing) {
    const parent = byKey.get(parentOf(key));
    const name = splitKey(key)?.name;
    if (parent === undefined || name === undefined) throw new Error("A folder has no parent.");
    rejectC1(name);
    const folder = newFolder(tx, parent, name, defaults.get(key));
    byKey.set(key, folder);
    created.push(folder);
  }
  await insertFolders(tx, created);
  return { byKey, created };
}

const parentOf = (key: Key): Key => splitKey(key)?.folder ?? ROOT_KEY;

/** The keys and those of all their ancestors, the higher ones first. */
function withAncestors(keys: readonly Key[]): Key[] {
  const all = new Set<Key>();
  for (let key of keys) {
    for (; !all.has(key); key = parentOf(key)) all.add(key);
  }
  return [...all].sort((one, other) => keyNames(one).length - keyNames(other).length);
}

async function foldersByKey(tx: Tx, keys: readonly Key[]): Promise<Map<Key, FolderRecord>> {
  const byKey = new Map<Key, FolderRecord>();
  for (const chunk of chunks(keys)) {
    const found = await selectFolders(tx.db).where("folders.key", "in", chunk).execute();
    for (const folder of found) byKey.set(folder.key, folder);
  }
  return byKey;
}

async function rejectOutside(
  tx: Tx,
  byKey: ReadonlyMap<Key, FolderRecord>,
  top: Key,
): Promise<void> {
  let deepest = top;
  while (!byKey.has(deepest) && deepest !== ROOT_KEY) deepest = parentOf(deepest);
  const folder = byKey.get(deepest);
  if (folder === undefined) throw new Error("The catalog has lost its root folder.");
  if (!(await areWithin(tx, [folder.id]))) throw noSuchFolder();
}

/** Fault "conflict": a file has the name of a missing folder. */
async function rejectFiles(
  tx: Tx,
  byKey: ReadonlyMap<Key, FolderRecord>,
  missing: readonly Key[],
): Promise<void> {
  const wanted = new Map<string, Name[]>();
  for (const key of missing) {
    const place = splitKey(key);
    const parent = place && byKey.get(place.folder);
    if (place === undefined || parent === undefined) continue;
    const names = wanted.get(parent.id);
    if (names === undefined) wanted.set(parent.id, [place.name]);
    else names.push(place.name);
  }
  for (const [id, names] of wanted) {
    for (const [name, holder] of await claimNames(tx, id, names)) throw nameTaken(holder, name);
  }
}
