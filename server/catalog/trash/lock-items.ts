import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import type { Within } from "../port/file-tree.ts";
import type { TrashSelection } from "../port/trash.ts";
import type { TrashItemsTable } from "../tables/trash.ts";
import { itemsWithin } from "./trash-places.ts";

/**
 * The selected items in the trash, locked; without those that are not within the limit. With a limit,
 * the tree must be locked.
 */
export async function lockItems(
  tx: Tx,
  selection: TrashSelection,
  within: Within | undefined,
): Promise<TrashItemsTable[]> {
  const items: TrashItemsTable[] = [];
  const selects =
    "undoId" in selection
      ? [(select: Select) => select.where("undo_id", "=", selection.undoId)]
      : [...chunks(selection.ids.toSorted())].map(
          (ids) => (select: Select) => select.where("subject_id", "in", ids),
        );
  for (const narrow of selects) {
    const rows = narrow(selectItems(tx)).orderBy("subject_id").forUpdate();
    items.push(...(await rows.execute()));
  }
  return within === undefined ? items : itemsWithin(tx, items, within);
}

const selectItems = (tx: Tx) => tx.db.selectFrom("trash_items").selectAll();
type Select = ReturnType<typeof selectItems>;
