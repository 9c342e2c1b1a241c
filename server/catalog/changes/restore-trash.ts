import { NOT_IN_TRASH } from "../../rules/trash.ts";
import type { Within } from "../port/file-tree.ts";
import type { RestoredTrash, TrashSelection } from "../port/trash.ts";
import { placesOf } from "../queries/trash-places.ts";
import type { TrashItemsTable } from "../tables/trash.ts";
import type { Tx } from "../tx.ts";
import { lockFiles } from "./file-locks.ts";
import { lockTree } from "./folder-locks.ts";
import { lockItems } from "./lock-items.ts";
import { recordChanges } from "./record-changes.ts";
import { restoreFiles } from "./restore-files.ts";
import { restoreFolder } from "./restore-folder.ts";
import { type RestoreLog, reportFailure } from "./restore-log.ts";
import { createRestorePaths } from "./restore-paths.ts";
import { deleteItems } from "./trash-items.ts";

export async function restoreTrash(
  tx: Tx,
  selection: TrashSelection,
  within?: Within,
): Promise<RestoredTrash> {
  await lockTree(tx);
  const items = await lockItems(tx, selection, within);
  const [folders, files] = [itemsOf(items, "folder"), itemsOf(items, "file")];
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
  // A folder may be the place of another one, or of files.
  for (const folder of folders) {
    await reportFailure(log, [folder], () => restoreFolder(tx, folder, paths, log));
  }
  await restoreFiles(tx, files, paths, log);
  const gone = new Set(log.restored.map(({ id }) => id));
  await deleteItems(
    tx,
    items.filter(({ subject_id }) => gone.has(subject_id)),
  );
  await recordChanges(tx, log.changes);
  return inOrder(selection, log);
}

/** By their keys, so that folders come before what was in them. */
const itemsOf = (
  items: readonly TrashItemsTable[],
  wanted: TrashItemsTable["kind"],
): TrashItemsTable[] =>
  items
    .filter(({ kind }) => kind === wanted)
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));

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
