import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import type { TrashItemsTable } from "../tables/trash.ts";
import type { FoundEvent, UndoEvent } from "./undo-event.ts";
import { toStep, type UndoStep } from "./undo-steps.ts";

/** Reads everything about events, in their order. Those that are gone since they were found are left out. */
export async function loadEvents(tx: Tx, found: readonly FoundEvent[]): Promise<UndoEvent[]> {
  const items = new Map<string, TrashItemsTable>();
  for (const ids of chunks(idsOf(found, "deleted"))) {
    const rows = tx.db.selectFrom("trash_items").selectAll().where("subject_id", "in", ids);
    for (const item of await rows.execute()) items.set(item.subject_id, item);
  }
  const steps = new Map<string, UndoStep>();
  for (const ids of chunks(idsOf(found, "changed"))) {
    const rows = tx.db.selectFrom("undo_steps").selectAll().where("id", "in", ids);
    for (const row of await rows.execute()) steps.set(row.id, toStep(row));
  }
  return found.flatMap((event): UndoEvent | [] => {
    if (event.kind === "replaced") return event;
    const { id, at, by } = event;
    if (event.kind === "changed") {
      const step = steps.get(id);
      return step === undefined ? [] : { kind: "changed", id, at, by, step };
    }
    const item = items.get(id);
    if (item?.undo_id !== event.undoId) return [];
    return { kind: "deleted", id, at, by, takesBack: event.takesBack, item };
  });
}

const idsOf = (found: readonly FoundEvent[], kind: FoundEvent["kind"]): string[] =>
  found.flatMap((event) => (event.kind === kind ? [event.id] : []));
