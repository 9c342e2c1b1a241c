import type { Millis } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { firstId } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";
import type { TakenBack } from "../tables/undo.ts";
import type { UndoEvent } from "./undo-event.ts";
import { idOf, inPages, isCancelled, PAGE, type Period, rejectMany } from "./undo-period.ts";

/** Actors in one query. */
const ACTORS = 50;
/** Deletions whose items are read at once. */
const DELETIONS = 100;

/** Finds what the keys or the account put into the trash that is still there. `trashed`: see `OwnSteps`. */
export async function findDeletions(
  tx: Tx,
  period: Period,
  trashed: ReadonlyMap<string, TakenBack | undefined>,
): Promise<UndoEvent[]> {
  const found: UndoEvent[] = [];
  let some = new Map<string, { at: Millis; by: string }>();

  async function readItems(): Promise<void> {
    const items = await tx.db
      .selectFrom("trash_items")
      .selectAll()
      .where("undo_id", "in", [...some.keys()])
      .execute();
    for (const item of items) {
      const deletion = some.get(item.undo_id);
      if (deletion === undefined) continue;
      const id = item.subject_id;
      const change = { ...deletion, takesBack: trashed.get(`${deletion.at} ${id}`) };
      if (!isCancelled(period, change)) found.push({ kind: "deleted", id, item, ...change });
    }
    rejectMany(found.length);
    some = new Map();
  }

  for await (const { id: undoId, at, actor } of ownDeletions(tx, period)) {
    some.set(undoId, { at, by: idOf(actor) });
    if (some.size === DELETIONS) await readItems();
  }
  if (some.size > 0) await readItems();
  return found;
}

/** The catalog returns only deletions of the keys or of the account. */
async function* ownDeletions(tx: Tx, { since, until, family }: Period) {
  for (const actors of chunks([...family], ACTORS)) {
    const rows = inPages(firstId(since), (after) =>
      tx.db
        .selectFrom("trash_deletions")
        .select(["undo_id as id", "deleted_at as at", "actor"])
        .where("undo_id", ">", after)
        .where("deleted_at", ">=", since)
        .where("deleted_at", "<=", until)
        .where((eb) =>
          eb.or(actors.map((id) => eb("actor", "like", `%"id":${JSON.stringify(id)}%`))),
        )
        .orderBy("undo_id")
        .limit(PAGE)
        .execute(),
    );
    for await (const row of rows) if (family.has(idOf(row.actor))) yield row;
  }
}
