import {
  type ClockLook,
  type ClockState,
  type JudgedClock,
  judgeClock,
} from "../../domain/judge-clock.ts";
import type { Millis } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { putSetting } from "../keys/settings.ts";

const NAME = "clock";
/**
 * For so long, a trusted clock is not stored again: each commit empties the record caches of all processes, and
 * an instance at rest should not write. A process knows the steps during its own life without it.
 */
const STORE_AGAIN_MS = 10 * 60_000;

export async function observeClock(tx: Tx, previous: ClockLook["previous"]): Promise<JudgedClock> {
  const select = tx.db.selectFrom("settings").select("value").where("name", "=", NAME);
  await tx.lockRows(select);
  const row = await select.executeTakeFirst();
  const state: ClockState | undefined = row && JSON.parse(row.value);
  const newest = state === undefined ? await newestRecord(tx) : undefined;
  const judged = judgeClock(state, { now: tx.now, previous, newest });
  const { seenAt, steadyMs, movedMs } = judged;
  const isNews =
    state === undefined ||
    movedMs !== 0 ||
    steadyMs !== null ||
    state.steadyMs !== null ||
    seenAt - state.seenAt >= STORE_AGAIN_MS;
  if (isNews) await putSetting(tx, NAME, JSON.stringify({ seenAt, steadyMs }));
  return judged;
}

/** The time of the newest change of the tree; undefined: there was none. */
async function newestRecord(tx: Tx): Promise<Millis | undefined> {
  const row = await tx.db
    .selectFrom("changes")
    .select("at")
    .where("kind", "<>", "feed.started")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}
