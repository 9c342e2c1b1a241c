import type { NewActivity } from "../../domain/activity.ts";
import type { Millis } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { firstId, newId } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";

/** Each row has a dozen values, and engines limit the number of values in a statement. */
const MAX_ROWS = 50;

export async function addActivity(tx: Tx, events: readonly NewActivity[]): Promise<void> {
  for (const chunk of chunks(events, MAX_ROWS)) {
    await tx.db.insertInto("activity").values(chunk.map(toRow)).execute();
  }
}

export async function removeActivity(tx: Tx, before: Millis, limit: number): Promise<number> {
  const oldest = tx.db
    .selectFrom("activity")
    .select("id")
    .where("id", "<", firstId(before))
    .orderBy("id")
    .limit(limit);
  const gone = await tx.db.deleteFrom("activity").where("id", "in", oldest).executeTakeFirst();
  return Number(gone.numDeletedRows);
}

const toRow = ({ at, action, outcome, status, actor, address, subject, detail }: NewActivity) => ({
  id: newId(at),
  at,
  action,
  outcome,
  status,
  actor_kind: actor.kind,
  actor_id: actor.id,
  actor_name: actor.name,
  address,
  subject_kind: subject?.kind ?? null,
  subject_id: subject?.id ?? null,
  subject_name: subject?.name ?? null,
  detail: JSON.stringify(detail),
});
