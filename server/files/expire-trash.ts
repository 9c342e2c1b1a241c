import type { Trash } from "../catalog/port/trash.ts";

/** Items and versions in one transaction: a deletion of many files takes several. */
const BATCH = 200;

/**
 * Permanently deletes items and versions whose time in the trash is over; then counts the files
 * in the folders that were too large to be counted at their deletion. The reaper must follow.
 */
export async function expireTrash(
  catalog: Pick<Trash, "expireTrash" | "countTrash">,
): Promise<void> {
  while (await catalog.expireTrash(BATCH));
  while (await catalog.countTrash());
}
