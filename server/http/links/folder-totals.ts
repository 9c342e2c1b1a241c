import type { Key } from "../../domain/records.ts";
import type { SharedFolder } from "../../links/shared-folder.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { FolderTotals, ShownEntry } from "./pages/folder-page.ts";

/** Pages of large folders do not wait longer for their totals. */
const TOTALS_MS = 400;
/** Nor for the counts of its subfolders, which only say more about the rows. */
const FOLDERS_MS = 150;
/** More are too many to count for each visitor. */
const MAX_MEASURED_FOLDERS = 24;

interface Totals {
  readonly totals: FolderTotals | undefined;
  /** The totals of the subfolders by path, as far as they were counted in time. */
  readonly folderTotals: ReadonlyMap<Key, FolderTotals>;
}

/** Counts a folder, then its subfolders. What takes too long to count is left out. */
export async function totalsOf(
  service: SharedFolder,
  path: Key,
  folders: readonly ShownEntry[],
): Promise<Totals> {
  const totals = await measureUntil(sleep(TOTALS_MS), service, path);
  const folderTotals = new Map<Key, FolderTotals>();
  if (totals === undefined || folders.length > MAX_MEASURED_FOLDERS)
    return { totals, folderTotals };
  const late = sleep(FOLDERS_MS);
  for (const folder of folders) {
    const measured = await measureUntil(late, service, folder.path);
    if (measured === undefined) break;
    folderTotals.set(folder.path, measured);
  }
  return { totals, folderTotals };
}

async function measureUntil(
  late: Promise<unknown>,
  service: SharedFolder,
  path: Key,
): Promise<FolderTotals | undefined> {
  const stop = new AbortController();
  const stopped = late.then(() => {
    stop.abort();
    return undefined;
  });
  return Promise.race([service.measure(path, stop.signal), stopped]);
}
