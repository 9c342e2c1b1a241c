import type { QueryClient } from "@tanstack/react-query";
import type { RestoreResult, TrashSelection } from "../../../sdk/src/holdall.ts";
import { holdallWithoutRetries } from "../app/client.ts";
import { showErrorToast, showToast } from "../components/toast-store.ts";
import { runBulk } from "../pages/files/actions/bulk-store.ts";
import { refreshFolders } from "../pages/files/data/patch-folders.ts";
import { describeFailed, describeRestored } from "./describe-restore.ts";
import { trashKey } from "./trash-key.ts";

/** Restores what the requests name, refreshes the lists, and says what happened. */
export async function restore(
  client: QueryClient,
  selections: readonly TrashSelection[],
): Promise<void> {
  const total: RestoreResult = { restored: [], failed: [] };
  const { failure } = await runBulk("Restoring", selections, async (selection, signal) => {
    const { restored, failed } = await holdallWithoutRetries.trash.restore(selection, { signal });
    total.restored.push(...restored);
    total.failed.push(...failed);
  });
  const success = describeRestored(total);
  if (success !== undefined) showToast(success);
  const refusal = failure?.message ?? describeFailed(total);
  if (refusal !== undefined) showErrorToast(refusal);
  await Promise.all([refreshFolders(client), client.invalidateQueries({ queryKey: trashKey })]);
}

/** Says that something was moved to the trash, with a button that restores it. */
export function offerUndo(client: QueryClient, text: string, undoIds: readonly string[]): void {
  const run = () =>
    void restore(
      client,
      undoIds.map((undoId) => ({ undoId })),
    );
  showToast(text, undoIds.length === 0 ? undefined : { label: "Undo", undoes: true, run });
}
