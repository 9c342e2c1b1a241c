import type { FileTree } from "../catalog/port.ts";
import { noSuchFile } from "./find.ts";
import type { Reaper } from "./reaper.ts";

export interface Removal {
  readonly deleted: string[];
  readonly failed: { readonly id: string; readonly message: string }[];
}

/**
 * Deletes files, records first. Each id is handled on its own and counts once; those that name no
 * file are in `failed`. Bytes that are gone already are no error. Fault "not_found": none exists.
 */
export async function removeFiles(
  names: FileTree,
  reaper: Reaper,
  ids: readonly string[],
): Promise<Removal> {
  const unique = [...new Set(ids)];
  const removed = await names.removeFiles(unique);
  if (removed.length === 0) throw noSuchFile();
  await reaper.remove(removed.map((file) => file.blobId));
  const deleted = removed.map((file) => file.id);
  const gone = new Set(deleted);
  const failed = unique
    .filter((id) => !gone.has(id))
    .map((id) => ({ id, message: noSuchFile().message }));
  return { deleted, failed };
}

/** An answer waits this long for what was in a folder to go; the rest goes after it. */
const PATIENCE_MS = 30;

/** Deletes a folder with everything inside. Faults "not_found"; "invalid": the root. */
export async function removeFolder(names: FileTree, reaper: Reaper, id: string): Promise<void> {
  await names.removeFolder(id);
  await Promise.race([reaper.drain(), Bun.sleep(PATIENCE_MS)]);
}
