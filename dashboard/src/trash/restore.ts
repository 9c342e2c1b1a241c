import type { QueryClient } from "@tanstack/react-query";
import type { RestoreResult, TrashSelection } from "../../../sdk/src/holdall.ts";
import { holdallWithoutRetries } from "../app/connection/client.ts";
import { batchesOf } from "../operations/batches-of.ts";
import { operate } from "../operations/operate.ts";
import { refreshFolders } from "../pages/files/data/patch-folders.ts";
import { formatCount } from "../text/format-count.ts";
import { describeFailed, describeRestored } from "./describe-restore.ts";
import { readDeletedAtOnce } from "./read-deleted-at-once.ts";
import { trashKey } from "./trash-key.ts";

/** Restores the items of the trash with these ids, in as few requests as possible. */
export const restoreItems = (client: QueryClient, all: readonly string[]): Promise<void> =>
  restore(client, `Restoring ${formatCount(all.length, "item")}`, async () =>
    batchesOf(all, await readDeletedAtOnce(client, all.length)).map((ids) => ({ ids })),
  );

/** Undoes deletions. Only the server knows how many items they had. */
export const undoDeletions = (client: QueryClient, undoIds: readonly string[]): Promise<void> =>
  restore(client, "Restoring from the trash", async () => undoIds.map((undoId) => ({ undoId })));

/** Restores what the requests name, refreshes the lists, and says what happened. */
async function restore(
  client: QueryClient,
  title: string,
  readSelections: () => Promise<readonly TrashSelection[]>,
): Promise<void> {
  await operate(title, async ({ run }) => {
    const total: RestoreResult = { restored: [], failed: [] };
    const restoreStep = async (selection: TrashSelection) => {
      const { restored, failed } = await holdallWithoutRetries.trash.restore(selection);
      total.restored.push(...restored);
      total.failed.push(...failed);
    };
    const result = await run(await readSelections(), restoreStep, { sizeOf: countOf });
    const refusal = result.failure?.message ?? describeFailed(total);
    return {
      text: describeRestored(total),
      failure: refusal === undefined ? undefined : new Error(refusal),
    };
  });
  await Promise.all([refreshFolders(client), client.invalidateQueries({ queryKey: trashKey })]);
}

const countOf = (selection: TrashSelection): number =>
  "ids" in selection ? selection.ids.length : 1;
