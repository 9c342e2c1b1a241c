import type { Key } from "../../domain/records.ts";
import type { SharedFolder } from "../../links/shared-folder.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { FolderTotals, ShownEntry } from "./pages/folder-page.ts";

/** Pages of large folders do not wait longer for their totals. */
const TOTALS_MS = 400;
/** More are too many to count for each visitor. */
const MAX_MEASURED_FOLDERS = 24;

interface Totals {
  readonly totals: FolderTotals | undefined;
  /** By path: of the subfolders that were counted in time. */
  readonly folderTotals: ReadonlyMap<Key, FolderTotals>;
}

/** The totals of a folder, then of its subfolders, as far as they are counted in time. */
export async function totalsOf(
  service: SharedFolder,
  path: Key,
  folders: readonly ShownEntry[],
): Promise<Totals> {
  const stop = new AbortController();
  const late = sleep(TOTALS_MS).then(() => {
    stop.abort();
    return undefined;
  });
  const measure = (path: Key) => Promise.race([service.measure(path, stop.signal), late]);
  const totals = await measure(path);
  const folderTotals = new Map<Key, FolderTotals>();
  if (folders.length > MAX_MEASURED_FOLDERS) return { totals, folderTotals };
  for (const folder of folders) {
    const measured = await measure(folder.path);
    if (measured === undefined) break;
    folderTotals.set(folder.path, measured);
  }
  return { totals, folderTotals };
}
