import { EVERYTHING } from "../../domain/callers/caller.ts";
import { isInFolder } from "../../domain/callers/scope.ts";
import type { DryRunConflict } from "../../domain/dry-run.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { FileRecord, FolderRecord, Key } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import type { RestoredTrash } from "../port/trash.ts";
import { foldersWithin } from "../records/are-within.ts";
import { isLasting, isLive } from "../records/outside-tree.ts";
import { selectFiles, selectFolders } from "../records/select-records.ts";
import { lockInFolders } from "../tree/lock-selected.ts";
import type { Period } from "./undo-period.ts";

export const CHANGED_SINCE = "It was changed since.";
const GONE = "It is not in the tree any more.";

/** An undo while it runs: what it is limited to, and what it reports. */
export type UndoRun = ReturnType<typeof createUndoRun>;

interface UndoLimits {
  readonly period: Period;
  /** Only what concerns this folder is undone. */
  readonly folderId: string | undefined;
  /** For how long replaced contents are kept. */
  readonly keepMs: number;
}

export function createUndoRun(tx: Tx, { period, folderId, keepMs }: UndoLimits) {
  const conflicts: DryRunConflict[] = [];
  const restored: RestoredTrash["restored"][number][] = [];
  const failed: RestoredTrash["failed"][number][] = [];

  /** Keys of folders by id. Valid within one group, because undoing a group may move folders. */
  const keys = new Map<string, Key | undefined>();

  async function folderKey(id: string): Promise<Key | undefined> {
    if (!keys.has(id)) {
      const folder = await selectFolders(tx.db).where("folders.id", "=", id).executeTakeFirst();
      keys.set(id, folder?.key);
    }
    return keys.get(id);
  }

  /** Whether one of the keys is in the folder of the undo, wherever that is now. */
  async function concerns(...keys: (string | undefined)[]): Promise<boolean> {
    if (folderId === undefined) return true;
    const top = await folderKey(folderId);
    return top !== undefined && keys.some((key) => key !== undefined && isInFolder(key, top));
  }

  function conflict(kind: "file" | "folder", id: string, key: string | null, reason: string): void {
    conflicts.push({ id, kind, key, reason });
  }

  /** A removed item may never have been in the folder of a limited caller. */
  function gone(kind: "file" | "folder", id: string): void {
    if (tx.within === EVERYTHING) conflict(kind, id, null, GONE);
  }

  /** Does work on subjects that the caller sees; its fault is a conflict of each. Returns whether it succeeded. */
  async function attempt(
    kind: "file" | "folder",
    subjects: readonly { readonly id: string; readonly key: string }[],
    work: () => Promise<unknown>,
  ): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Fault) || error.kind === "unavailable") throw error;
      for (const { id, key } of subjects) conflict(kind, id, key, error.message);
      return false;
    }
  }

  return {
    tx,
    period,
    folderId,
    keepMs,
    conflicts,
    restored,
    failed,
    folderKey,
    concerns,
    conflict,
    gone,
    attempt,
    forgetKeys: () => keys.clear(),
  };
}

/** Returns the folder if it is in the tree. */
export const liveFolder = (tx: Tx, id: string): Promise<FolderRecord | undefined> =>
  selectFolders(tx.db).where("folders.id", "=", id).where(isLive).executeTakeFirst();

/** Returns the files that are in the tree and that the caller may see. */
export async function liveFiles(tx: Tx, ids: readonly string[]): Promise<FileRecord[]> {
  const found: FileRecord[] = [];
  for (const chunk of chunks([...new Set(ids)])) {
    const rows = selectFiles(tx.db).where("files.id", "in", chunk).where(isLive).where(isLasting);
    found.push(...(await rows.execute()));
  }
  if (tx.within === EVERYTHING) return found;
  const seen = await foldersWithin(tx, [...new Set(found.map(({ folderId }) => folderId))]);
  return found.filter(({ folderId }) => seen.has(folderId));
}

/**
 * Locks the same files, their folders and `targets`, then returns the files. Others change files without the lock of the
 * tree, so whether one was changed since can only be said after this.
 */
export async function lockLiveFiles(
  tx: Tx,
  ids: readonly string[],
  targets: readonly string[] = [],
): Promise<FileRecord[]> {
  const seen = (await liveFiles(tx, ids)).map(({ id }) => id);
  await lockInFolders(tx, seen, targets);
  return liveFiles(tx, seen);
}

/** Whether the record has these properties. */
export function isAs<State extends object>(record: State, wanted: Partial<State>): boolean {
  for (const field in wanted) {
    if (record[field] !== wanted[field]) return false;
  }
  return true;
}
