import type { ActivityLog, ActivityQuery } from "../catalog/port/insight.ts";
import type { ActivityRecord, NewActivity } from "../domain/activity.ts";
import type { SeenBy } from "../domain/callers/caller.ts";
import type { Millis } from "../domain/records.ts";
import { createAnonymousFailureAggregator } from "./anonymous-failure-aggregator.ts";

/** The audit log: completed and refused operations, kept for the retention period. */
export interface Activity {
  /**
   * Adds an event that has just happened to a buffer, which is written about once a second in one
   * transaction. Never throws and never waits; a crash loses what is still in the buffer.
   */
  record(event: Omit<NewActivity, "at">): void;
  /** Newest first, without events past the retention period. */
  list(caller: SeenBy, query: ActivityQuery): Promise<ActivityRecord[]>;
  /** Removes events past the retention period, up to a maximum per call. */
  prune(now: Millis): Promise<void>;
  /** Removes every event from before a time, also those that other workers have not written yet. */
  clear(before: Millis): Promise<number>;
  /** Writes the buffer, or keeps it when writing fails. Never throws. */
  flush(): Promise<void>;
  /** Writes the buffer and the aggregates. */
  close(): Promise<void>;
}

export interface ActivityDeps {
  readonly log: ActivityLog;
  /** The current retention period in days; 0: nothing is recorded. */
  readonly retentionDays: () => number;
  readonly onError: (message: string, cause: unknown) => void;
  /** Makes the other workers write their buffers; awaited before each read. */
  readonly flushPeers?: () => Promise<void>;
  readonly now?: () => Millis;
}

const FLUSH_DELAY_MS = 1000;
const AGGREGATE_INTERVAL_MS = 10 * 60_000;
/** Buffered events; more are dropped and counted. */
const MAX_BUFFERED = 5000;
const PRUNE_BATCH = 500;
const MAX_PRUNE_BATCHES = 40;

const DAY = 24 * 3600 * 1000;

export function createActivity(deps: ActivityDeps): Activity {
  const { log, retentionDays, onError, flushPeers, now = Date.now } = deps;
  let buffer = new Map<string, NewActivity>();
  let lastId = 0;
  let dropped = 0;
  /** Whether the current write failure was reported: writing is retried every second. */
  let isFailing = false;
  let flushTimer: Timer | undefined;
  let writing: Promise<void> | undefined;
  const aggregator = createAnonymousFailureAggregator(now);
  let aggregateTimer: Timer | undefined;

  const oldest = (at = now()): Millis => at - retentionDays() * DAY;

  async function flush(): Promise<void> {
    clearTimeout(flushTimer);
    flushTimer = undefined;
    // One write at a time, so that a slow disk does not get more and more of them.
    await writing;
    const batch = buffer;
    if (batch.size === 0) return;
    buffer = new Map();
    writing = log
      .addActivity([...batch.values()])
      .then(() => {
        isFailing = false;
      })
      .catch((cause: unknown) => {
        if (!isFailing) onError("The activity could not be written yet", cause);
        isFailing = true;
        // Events recorded during the write are newer.
        buffer = new Map([...batch, ...buffer]);
      })
      .finally(() => {
        writing = undefined;
      });
    await writing;
    if (dropped > 0)
      onError(`The activity buffer was full: ${dropped} events are missing`, undefined);
    dropped = 0;
    if (buffer.size > 0) scheduleFlush();
  }

  function scheduleFlush(): void {
    flushTimer ??= setTimeout(() => void flush(), FLUSH_DELAY_MS);
    flushTimer.unref();
  }

  function recordAggregates(): void {
    clearTimeout(aggregateTimer);
    aggregateTimer = undefined;
    for (const event of aggregator.drain()) {
      lastId += 1;
      buffer.set(String(lastId), event);
      scheduleFlush();
    }
  }

  return {
    record(event) {
      if (retentionDays() === 0) return;
      lastId += 1;
      const key = event.outcome === "failed" ? failureKey(event) : String(lastId);
      const earlier = buffer.get(key);
      if (earlier !== undefined) {
        // A client that repeats a failure gets one row a second, with a count.
        const times = Number(earlier.detail.times ?? 1) + 1;
        buffer.set(key, { ...earlier, detail: { ...earlier.detail, times } });
      } else if (aggregator.add(event)) {
        aggregateTimer ??= setTimeout(recordAggregates, AGGREGATE_INTERVAL_MS);
        aggregateTimer.unref();
        return;
      } else if (buffer.size >= MAX_BUFFERED) dropped += 1;
      else buffer.set(key, { ...event, at: now() });
      scheduleFlush();
    },
    async list(caller, query) {
      await flushPeers?.();
      return log.activity(caller, { ...query, since: Math.max(query.since ?? 0, oldest()) });
    },
    async prune(at) {
      for (let batch = 0; batch < MAX_PRUNE_BATCHES; batch += 1) {
        if ((await log.removeActivity(oldest(at), PRUNE_BATCH)) < PRUNE_BATCH) return;
      }
    },
    async clear(before) {
      await flushPeers?.();
      await flush();
      let removed = 0;
      for (;;) {
        const count = await log.removeActivity(before, PRUNE_BATCH);
        removed += count;
        if (count < PRUNE_BATCH) return removed;
      }
    },
    flush,
    close() {
      recordAggregates();
      return flush();
    },
  };
}

/** Failures with the same key are counted in one row. */
const failureKey = ({ action, status, actor, address, subject }: Omit<NewActivity, "at">): string =>
  JSON.stringify([action, status, actor.kind, actor.id, address, subject]);
