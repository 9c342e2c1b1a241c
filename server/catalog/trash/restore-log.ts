import { Fault } from "../../domain/faults/fault.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import type { RestoredTrash } from "../port/trash.ts";
import type { TrashItemsTable } from "../tables/trash.ts";

/** What happened to items of the trash, and the changes of the feed in the order in which they were made. */
export interface RestoreLog {
  readonly changes: TreeChange[];
  readonly restored: RestoredTrash["restored"][number][];
  readonly failed: RestoredTrash["failed"][number][];
}

/**
 * Notes the items as failed if their keys would be too long, or no name is free. They must not have been
 * changed then.
 */
export async function reportFailure(
  { failed }: RestoreLog,
  items: readonly Pick<TrashItemsTable, "subject_id">[],
  restore: () => Promise<void>,
): Promise<void> {
  try {
    await restore();
  } catch (error) {
    if (!(error instanceof Fault) || !FAILURES.has(error.kind)) throw error;
    for (const { subject_id: id } of items) failed.push({ id, reason: error.message });
  }
}

const FAILURES: ReadonlySet<Fault["kind"]> = new Set(["invalid", "conflict"]);
