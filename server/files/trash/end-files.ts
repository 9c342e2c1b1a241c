import type { LinkLedger } from "../../catalog/port/links.ts";
import type { EndedPosition, Trash } from "../../catalog/port/trash.ts";
import { giveWay } from "../../lib/time-slices.ts";

/** Files in one transaction. */
const AT_ONCE = 200;

/**
 * Moves files that have ended to the trash for `keepMs`, and what links with `deleteAtEnd` lead to whose time is over.
 * To be called only while the clock is trusted.
 */
export async function endFiles(
  catalog: Pick<Trash, "endedFiles" | "endFiles"> & Pick<LinkLedger, "deleteAtEndOfLink">,
  keepMs: number,
): Promise<void> {
  while (await catalog.deleteAtEndOfLink(keepMs)) await giveWay();
  let after: EndedPosition | undefined;
  // Also without any, so that the other changes learn for how long they keep what they move.
  do {
    const { ids, next } = await catalog.endedFiles(after, AT_ONCE);
    if (ids.length > 0 || after === undefined) await catalog.endFiles({ ids, keepMs });
    after = next;
    await giveWay();
  } while (after !== undefined);
}
