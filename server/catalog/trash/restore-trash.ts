import { SYSTEM } from "../../domain/callers/caller.ts";
import { NOT_IN_TRASH } from "../../domain/trash.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockFiles } from "../folders/file-locks.ts";
import { lockTree } from "../folders/folder-locks.ts";
import type { RestoredTrash, TrashSelection } from "../port/trash.ts";
import { settleUsage } from "../quotas/charge-usage.ts";
import { topOfChild, topOfItem } from "../quotas/usage.ts";
import type { TrashItemsTable } from "../tables/trash.ts";
import { lockItems } from "./lock-items.ts";
import { restoreFiles } from "./restore-files.ts";
import { restoreFolder } from "./restore-folder.ts";
import { type RestoreLog, reportFailure } from "./restore-log.ts";
import { createRestorePaths } from "./restore-paths.ts";
import { standInsAmong } from "./trash-folders.ts";
import { deleteItems } from "./trash-items.ts";
import { type PlacedItem, placedItems, placesOf } from "./trash-places.ts";

export async function restoreTrash(tx: Tx, selection: TrashSelection): Promise<RestoredTrash> {
  await lockTree(tx);
  const locked = await lockItems(tx, selection);
  const items = inPlaceOrder(await placedItems(tx, SYSTEM, locked));
  const folders = await containersFirst(
    tx,
    items.filter(({ kind }) => kind === "folder"),
  );
  const files = items.filter(({ kind }) => kind === "file");
  const log: RestoreLog = { changes: [], restored: [], failed: [] };
  const paths = createRestorePaths(tx, log.changes);
  await paths.lock(
    await placesOf(tx, items),
    folders.map(({ subject_id }) => subject_id),
  );
  await lockFiles(
    tx,
    files.map(({ subject_id }) => subject_id),
  );
  for (const folder of folders) {
    await reportFailure(log, [folder], () => restoreFolder(tx, folder, paths, log));
    // Before other items return into it, which count by themselves.
    await settleUsage(tx);
  }
  await restoreFiles(tx, files, paths, log);
  const tops = new Map(files.map((item) => [item.subject_id, topOfItem(item)]));
  for (const { id, kind, key } of log.restored) {
    if (kind === "file") {
      tx.usage.moveFiles({ ids: [id], from: tops.get(id), to: topOfChild(key) });
    }
  }
  const gone = new Set(log.restored.map(({ id }) => id));
  await deleteItems(
    tx,
    items.filter(({ subject_id }) => gone.has(subject_id)),
  );
  await recordChanges(tx, log.changes);
  return inOrder(selection, log);
}

/** By where they would go, so that a folder comes before those that name it on their path. */
const inPlaceOrder = (placed: readonly PlacedItem<TrashItemsTable>[]): TrashItemsTable[] =>
  placed.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);

/** Each folder after those that contained it when it was deleted, and after their stand-ins. */
async function containersFirst(
  tx: Tx,
  folders: readonly TrashItemsTable[],
): Promise<TrashItemsTable[]> {
  const waiting = new Map(folders.map((folder) => [folder.subject_id, folder]));
  const standIns = await standInsAmong(tx, [...waiting.keys()]);
  const ordered: TrashItemsTable[] = [];
  function add(folder: TrashItemsTable): void {
    if (!waiting.delete(folder.subject_id)) return;
    for (const id of folder.parent_ids.split(",")) {
      for (const container of [id, standIns.get(id)]) {
        const above = container === undefined ? undefined : waiting.get(container);
        if (above !== undefined) add(above);
      }
    }
    ordered.push(folder);
  }
  for (const folder of folders) add(folder);
  return ordered;
}

function inOrder(selection: TrashSelection, { restored, failed }: RestoreLog): RestoredTrash {
  if ("undoId" in selection) return { restored, failed };
  const byId = new Map(restored.map((each) => [each.id, each]));
  const reasons = new Map(failed.map(({ id, reason }) => [id, reason]));
  const ids = [...new Set(selection.ids)];
  return {
    restored: ids.flatMap((id) => byId.get(id) ?? []),
    failed: ids
      .filter((id) => !byId.has(id))
      .map((id) => ({ id, reason: reasons.get(id) ?? NOT_IN_TRASH })),
  };
}
