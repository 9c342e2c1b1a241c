import type { Blobs } from "../blobs/port.ts";
import type { Snapshot } from "../catalog/port/catalog.ts";

/** Removes every blob that the snapshot does not refer to. Returns their number. */
export async function removeOrphans(
  blobs: Blobs,
  snapshot: Pick<Snapshot, "knownBlobs">,
): Promise<number> {
  let removed = 0;
  for await (const block of blobs.listBlocks()) {
    const listed = await blobs.listBlock(block);
    const known = new Set(await snapshot.knownBlobs(block));
    const orphans = listed.filter((id) => !known.has(id));
    if (orphans.length > 0) await blobs.remove(orphans);
    removed += orphans.length;
  }
  return removed;
}
