import type { Ref } from "../../domain/callers/ref.ts";
import type { Fault } from "../../domain/faults/fault.ts";
import type { FileRecord, FolderRecord } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { lockFiles } from "../folders/file-locks.ts";
import { lockFolders } from "../folders/folder-locks.ts";
import { foldersWithin } from "../records/are-within.ts";
import { fileIdsOf, folderIdOf, isRenamed, leadElsewhere } from "../records/resolve-refs.ts";
import { selectFiles } from "../records/select-records.ts";

export interface Selection {
  readonly ids: readonly Ref[];
  /** The folder that they go to. */
  readonly folderId?: Ref | undefined;
  /** `folderId` is of no folder. */
  readonly noTarget: () => Fault;
}

export interface Selected {
  /** The files that exist, each once, in the order given. */
  readonly files: readonly FileRecord[];
  /** The references to no file that the caller sees. */
  readonly missing: readonly Ref[];
  /** The folders of these files, and the one that they go to. */
  readonly folders: ReadonlyMap<string, FolderRecord>;
  /** undefined: none is given. */
  readonly target: FolderRecord | undefined;
}

/** Locks files, their folders and the folder that they go to. */
export async function lockSelected(
  tx: Tx,
  { ids: refs, folderId: targetRef, noTarget }: Selection,
): Promise<Selected> {
  const ids = await fileIdsOf(tx, refs);
  const folderId = targetRef === undefined ? undefined : await folderIdOf(tx, targetRef);
  if (targetRef !== undefined && folderId === undefined) throw noTarget();
  const { found, folders, inside } = await lockInFolders(
    tx,
    ids.filter((id) => id !== undefined),
    folderId === undefined ? [] : [folderId],
  );
  const target = folderId === undefined ? undefined : folders.get(folderId);
  if (folderId !== undefined && (target === undefined || !inside.has(folderId))) throw noTarget();
  if (targetRef !== undefined && isRenamed(targetRef, target)) throw new RetryTransaction();
  const files = new Map<string, FileRecord>();
  const missing: Ref[] = [];
  const gone: (string | undefined)[] = [];
  refs.forEach((ref, place) => {
    const file = found.get(ids[place] ?? "");
    if (file === undefined || !inside.has(file.folderId)) {
      missing.push(ref);
      gone.push(ids[place]);
    } else if (isRenamed(ref, file)) throw new RetryTransaction();
    else files.set(file.id, file);
  });
  if (await leadElsewhere(tx, missing, gone)) throw new RetryTransaction();
  return { files: [...files.values()], missing, folders, target };
}

/** Those of the files that exist, locked as are their folders and `targets`. `inside`: the folders that the caller sees. */
export async function lockInFolders(tx: Tx, ids: readonly string[], targets: readonly string[]) {
  const seen = await findFiles(tx, ids);
  const folderIds = new Set([...seen.values()].map((file) => file.folderId));
  for (const target of targets) folderIds.add(target);
  const folders = new Map<string, FolderRecord>();
  for (const chunk of chunks([...folderIds].sort())) {
    for (const [id, folder] of await lockFolders(tx, chunk)) folders.set(id, folder);
  }
  await lockFiles(tx, [...seen.keys()]);
  const found = await findFiles(tx, [...seen.keys()]);
  // Another transaction may have moved one before its folder was locked.
  for (const file of found.values())
    if (!folderIds.has(file.folderId)) throw new RetryTransaction();
  return { found, folders, inside: await foldersWithin(tx, [...folderIds]) };
}

async function findFiles(tx: Tx, ids: readonly string[]): Promise<Map<string, FileRecord>> {
  const found = new Map<string, FileRecord>();
  for (const chunk of chunks(ids)) {
    for (const file of await selectFiles(tx.db).where("files.id", "in", chunk).execute()) {
      found.set(file.id, file);
    }
  }
  return found;
}
