import type { Fault } from "../../domain/fault.ts";
import type { FileRecord, FolderRecord } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { lockFiles } from "../folders/file-locks.ts";
import { lockFolders } from "../folders/folder-locks.ts";
import { foldersWithin } from "../records/are-within.ts";
import { selectFiles } from "../records/select-records.ts";

export interface Selection {
  readonly ids: readonly string[];
  /** The folder that they go to. */
  readonly folderId?: string | undefined;
  /** `folderId` is of no folder. */
  readonly noTarget: () => Fault;
}

export interface Selected {
  /** Those that exist, each once, in the order given. */
  readonly files: readonly FileRecord[];
  /** The folders of these files, and the one that they go to. */
  readonly folders: ReadonlyMap<string, FolderRecord>;
  /** undefined: none is given. */
  readonly target: FolderRecord | undefined;
}

/** Locks files, their folders and the folder that they go to. */
export async function lockSelected(
  tx: Tx,
  { ids, folderId, noTarget }: Selection,
): Promise<Selected> {
  const seen = await findFiles(tx, ids);
  const folderIds = new Set([...seen.values()].map((file) => file.folderId));
  if (folderId !== undefined) folderIds.add(folderId);
  const folders = new Map<string, FolderRecord>();
  for (const chunk of chunks([...folderIds].sort())) {
    for (const [id, folder] of await lockFolders(tx, chunk)) folders.set(id, folder);
  }
  await lockFiles(tx, [...seen.keys()]);
  const found = await findFiles(tx, [...seen.keys()]);
  // Another transaction may have moved one before its folder was locked.
  for (const file of found.values())
    if (!folderIds.has(file.folderId)) throw new RetryTransaction();
  const inside = await foldersWithin(tx, [...folderIds]);
  const target = folderId === undefined ? undefined : folders.get(folderId);
  if (folderId !== undefined && (target === undefined || !inside.has(folderId))) throw noTarget();
  const files = [...new Set(ids)].flatMap((id) => {
    const file = found.get(id);
    return file === undefined || !inside.has(file.folderId) ? [] : [file];
  });
  return { files, folders, target };
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
