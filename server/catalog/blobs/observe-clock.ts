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

export async function observeClock(tx: Tx, previous: ClockLook["previous"]): Promise<JudgedClock> {
  const select = tx.db.selectFrom("settings").select("value").where("name", "=", NAME);
  await tx.lockRows(select);
  const row = await select.executeTakeFirst();
  const state: ClockState | undefined = row && JSON.parse(row.value);
  const newest = state === undefined ? await newestRecord(tx) : undefined;
  const judged = judgeClock(state, { now: tx.now, previous, newest });
  const { seenAt, steadyMs } = judged;
  await putSetting(tx, NAME, JSON.stringify({ seenAt, steadyMs }));
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
