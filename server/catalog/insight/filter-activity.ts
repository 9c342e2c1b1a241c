import type { ActivityRecord } from "../../domain/activity.ts";
import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import { giveWay } from "../../lib/time-slices.ts";

/** Entries read at once: a few milliseconds. */
const BATCH = 500;

/** Reads at most `limit` entries before the one with this id, newest first. */
export type ReadActivity = (before: string | undefined, limit: number) => Promise<ActivityRecord[]>;

/** The entries of a batch that are wanted, in its order. */
export type SelectEntries = (
  batch: readonly ActivityRecord[],
) => readonly ActivityRecord[] | Promise<readonly ActivityRecord[]>;

export interface ActivityPage {
  readonly before?: string | undefined;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The newest entries that `select` returns, read in batches between which other requests run. ConnectionClosed: the
 * signal aborts.
 */
export async function filterActivity(
  read: ReadActivity,
  select: SelectEntries,
  page: ActivityPage,
): Promise<ActivityRecord[]> {
  const found: ActivityRecord[] = [];
  for (let before = page.before; ; await giveWay()) {
    if (page.signal?.aborted) {
      throw new ConnectionClosed("The connection closed before the activity was searched.");
    }
    const batch = await read(before, BATCH);
    for (const entry of await select(batch)) {
      found.push(entry);
      if (found.length === page.limit) return found;
    }
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return found;
    before = last.id;
  }
}
