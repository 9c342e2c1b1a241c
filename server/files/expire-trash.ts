import type { Trash } from "../catalog/port/trash.ts";

/** Items and versions in one transaction: a deletion of many files takes several. */
const BATCH = 200;

/**
 * Deletes what has been in the trash for its time, and versions likewise, permanently; then counts what is
 * in the folders that were too large to be counted at their deletion. The reaper must follow.
 */
export async function expireTrash(
  catalog: Pick<Trash, "expireTrash" | "countTrash">,
): Promise<void> {
  while (await catalog.expireTrash(BATCH));
  while (await catalog.countTrash());
}
