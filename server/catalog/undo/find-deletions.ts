import type { Millis } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { firstId } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";
import type { TakenBack } from "../tables/undo.ts";
import type { FoundDeletion } from "./undo-event.ts";
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
): Promise<FoundDeletion[]> {
  const found: FoundDeletion[] = [];
  let some = new Map<string, { id: string; at: Millis; by: string }>();

  async function readItems(): Promise<void> {
    const items = inPages("", (after) =>
      tx.db
        .selectFrom("trash_items")
        .select(["subject_id as id", "undo_id", "kind as of", "key"])
        .where("undo_id", "in", [...some.keys()])
        .where("subject_id", ">", after)
        .orderBy("subject_id")
        .limit(PAGE)
        .execute(),
    );
    for await (const { id, undo_id: undoId, of, key } of items) {
      const deletion = some.get(undoId);
      if (deletion === undefined) continue;
      const { at, by } = deletion;
      const takesBack = trashed.get(`${at} ${id}`);
      if (isCancelled(period, { takesBack })) continue;
      const folderKey = of === "folder" ? key : "";
      found.push({ kind: "deleted", id, at, by, takesBack, undoId: deletion.id, of, folderKey });
      rejectMany(found.length);
    }
    some = new Map();
  }

  for await (const { id: undoId, at, actor } of ownDeletions(tx, period)) {
    some.set(undoId, { id: undoId, at, by: idOf(actor) });
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
