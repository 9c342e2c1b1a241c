import type { Blobs } from "../blobs/port.ts";
import type { Snapshot } from "../catalog/port.ts";

/** Removes every blob that the snapshot does not refer to. Returns how many went. */
export async function removeOrphans(
  blobs: Blobs,
  snapshot: Pick<Snapshot, "knownBlobs">,
): Promise<number> {
  let removed = 0;
  for await (const block of blobs.listBlocks()) {
    const there = await blobs.listBlock(block);
    const known = new Set(await snapshot.knownBlobs(block));
    const leftOver = there.filter((id) => !known.has(id));
    if (leftOver.length > 0) await blobs.remove(leftOver);
    removed += leftOver.length;
  }
  return removed;
}
