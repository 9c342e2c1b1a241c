import type { QueryClient } from "@tanstack/react-query";
import type { RestoreResult, TrashSelection } from "../../../sdk/src/holdall.ts";
import { holdallWithoutRetries } from "../app/client.ts";
import { batchesOf } from "../operations/batches-of.ts";
import { operate } from "../operations/operate.ts";
import { refreshFolders } from "../pages/files/data/patch-folders.ts";
import { formatCount } from "../text/format-count.ts";
import { describeFailed, describeRestored } from "./describe-restore.ts";
import { readDeletedAtOnce } from "./read-deleted-at-once.ts";
import { trashKey } from "./trash-key.ts";

/** Restores the items of the trash with these ids, in as few requests as possible. */
export async function restoreItems(client: QueryClient, all: readonly string[]): Promise<void> {
  const batches = batchesOf(all, await readDeletedAtOnce(client));
  await restore(
    client,
    batches.map((ids) => ({ ids })),
  );
}

/** Restores what the requests name, refreshes the lists, and says what happened. */
export async function restore(
  client: QueryClient,
  selections: readonly TrashSelection[],
): Promise<void> {
  await operate(titleOf(selections), async ({ run }) => {
    const total: RestoreResult = { restored: [], failed: [] };
    const restoreStep = async (selection: TrashSelection, signal: AbortSignal) => {
      const { restored, failed } = await holdallWithoutRetries.trash.restore(selection, { signal });
      total.restored.push(...restored);
      total.failed.push(...failed);
    };
    const result = await run(selections, restoreStep, countOf);
    const refusal = result.failure?.message ?? describeFailed(total);
    return {
      text: describeRestored(total),
      failure: refusal === undefined ? undefined : new Error(refusal),
    };
  });
  await Promise.all([refreshFolders(client), client.invalidateQueries({ queryKey: trashKey })]);
}

/** Of a deletion that is undone, only the server knows how many items it had. */
function titleOf(selections: readonly TrashSelection[]): string {
  if (!selections.every((selection) => "ids" in selection)) return "Restoring from the trash";
  const count = selections.reduce((sum, selection) => sum + countOf(selection), 0);
  return `Restoring ${formatCount(count, "item")}`;
}

const countOf = (selection: TrashSelection): number =>
  "ids" in selection ? (selection.ids?.length ?? 1) : 1;
