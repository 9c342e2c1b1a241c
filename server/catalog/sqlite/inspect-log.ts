import { existsSync, statSync } from "node:fs";
import type { DataFolder } from "../../fs/data-folder-layout.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { CatalogEvents } from "../driver.ts";
import { checkWhole } from "./check-file.ts";
import { findLogDamage } from "./find-log-damage.ts";
import { type FolderLock, holdsFolder, lockFolder } from "./folder-lock.ts";

type OnLostRecords = CatalogEvents["onLostRecords"];

/** A process that is writing a change to the log makes its next write within this time. */
const WRITE_MS = 100;

/**
 * Reports damage in the log of a catalog that no server has open, before SQLite overwrites it. Error:
 * without the rest of its log, the catalog is damaged too.
 */
export async function inspectLog(path: string, onLostRecords: OnLostRecords): Promise<void> {
  const found = findLogDamage(path);
  if (found === undefined) return;
  // A command may be writing it right now.
  const before = stampOf(path);
  await sleep(WRITE_MS);
  if (findLogDamage(path) !== found || stampOf(path) !== before) return;
  const file = `${path}-wal`;
  onLostRecords({ file, reason: `The log ${file} is damaged: ${found}.` });
  if (existsSync(path)) checkWhole(path);
}

/** The same for a command. Does nothing while a server has the catalog open. */
export async function inspectLogUnlessServed(
  { path, catalog }: DataFolder,
  onLostRecords: OnLostRecords,
): Promise<void> {
  if (holdsFolder(path) || findLogDamage(catalog) === undefined) return;
  const lock = tryToLock(path);
  if (lock === undefined) return;
  try {
    await inspectLog(catalog, onLostRecords);
  } finally {
    lock.release();
  }
}

/** undefined: a server has locked it. */
function tryToLock(path: string): FolderLock | undefined {
  try {
    return lockFolder(path);
  } catch {
    return undefined;
  }
}

/** Changes with every write to the log. */
function stampOf(path: string): string {
  const found = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.size} ${found.mtimeNs}`;
}
