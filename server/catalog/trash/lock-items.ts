import { EVERYTHING } from "../../domain/callers/caller.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import type { TrashSelection } from "../port/trash.ts";
import type { TrashItemsTable } from "../tables/trash.ts";
import { placedItems } from "./trash-places.ts";

/**
 * The selected items in the trash, locked; without those that are not within the limit. With a limit,
 * the tree must be locked.
 */
export async function lockItems(tx: Tx, selection: TrashSelection): Promise<TrashItemsTable[]> {
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
  if (tx.within === EVERYTHING) return items;
  return (await placedItems(tx, tx, items)).map(({ item }) => item);
}

const selectItems = (tx: Tx) => tx.db.selectFrom("trash_items").selectAll();
type Select = ReturnType<typeof selectItems>;
