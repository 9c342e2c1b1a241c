import type { ActivityLog, ActivityQuery } from "../catalog/port.ts";
import type { ActivityRecord, NewActivity } from "../rules/activity.ts";
import type { Millis } from "../rules/records.ts";
import { createAnonymousFailureAggregator } from "./anonymous-failures.ts";

/** What was done and what was refused, for as long as it is kept. */
export interface Activity {
  /**
   * Notes something that has just happened. It costs its caller nothing and cannot fail: it is
   * written within a second or so, with all else of that second, and is lost if the process dies
   * before.
   */
  note(event: Omit<NewActivity, "at">): void;
  /** Newest first, without what is over its time. */
  list(wanted: ActivityQuery): Promise<ActivityRecord[]>;
  /** Removes what is over its time, a part of it when there is a lot. */
  prune(): Promise<void>;
  /** Writes what is noted, or keeps it when that cannot be done. */
  settle(): Promise<void>;
  /** The same, at the end. */
  close(): Promise<void>;
}

export interface ActivityParts {
  readonly log: ActivityLog;
  /** For how many days it is kept, as it is now; 0: not at all. */
  readonly retentionDays: () => number;
  readonly onError: (message: string, cause: unknown) => void;
  readonly now?: () => Millis;
}

const SOON_MS = 1000;
/** How often a crowd of strangers is told of. */
const CROWD_MS = 10 * 60_000;
/** Noted and not yet written, at most: what comes then is lost, and counted. */
const MOST_WAITING = 5000;
/** Removed in one transaction, */
const PRUNED = 500;
/** and transactions in a row. */
const PRUNINGS = 40;

const DAY = 24 * 3600 * 1000;

export function createActivity(parts: ActivityParts): Activity {
  const { log, retentionDays, onError, now = Date.now } = parts;
  let waiting = new Map<string, NewActivity>();
  let noted = 0;
  let lost = 0;
  /** Whether it was told that nothing can be written: it is tried again every second. */
  let isDown = false;
  let timer: Timer | undefined;
  let writing: Promise<void> | undefined;
  const crowd = createAnonymousFailureAggregator(now);
  let crowdTimer: Timer | undefined;

  const oldest = (): Millis => now() - retentionDays() * DAY;

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // One at a time, so that a slow disk is not handed more and more.
    await writing;
    const batch = waiting;
    if (batch.size === 0) return;
    waiting = new Map();
    writing = log
      .addActivity([...batch.values()])
      .then(() => {
        isDown = false;
      })
      .catch((cause: unknown) => {
        if (!isDown) onError("What was done could not be noted yet", cause);
        isDown = true;
        // What came meanwhile is newer.
        waiting = new Map([...batch, ...waiting]);
      })
      .finally(() => {
        writing = undefined;
      });
    await writing;
    if (lost > 0)
      onError(`Too much was done to note it all: ${lost} events are missing`, undefined);
    lost = 0;
    if (waiting.size > 0) schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(() => void write(), SOON_MS);
    timer.unref();
  }

  function tellCrowd(): void {
    clearTimeout(crowdTimer);
    crowdTimer = undefined;
    for (const event of crowd.leave()) {
      noted += 1;
      waiting.set(String(noted), event);
      schedule();
    }
  }

  return {
    note(event) {
      if (retentionDays() === 0) return;
      noted += 1;
      const same = event.outcome === "failed" ? likeness(event) : String(noted);
      const earlier = waiting.get(same);
      if (earlier !== undefined) {
        // Somebody who tries again and again is one row a second, with a count.
        const times = Number(earlier.detail.times ?? 1) + 1;
        waiting.set(same, { ...earlier, detail: { ...earlier.detail, times } });
      } else if (crowd.take(event)) {
        crowdTimer ??= setTimeout(tellCrowd, CROWD_MS);
        crowdTimer.unref();
        return;
      } else if (waiting.size >= MOST_WAITING) lost += 1;
      else waiting.set(same, { ...event, at: now() });
      schedule();
    },
    list: (wanted) => log.activity({ ...wanted, since: Math.max(wanted.since ?? 0, oldest()) }),
    async prune() {
      for (let round = 0; round < PRUNINGS; round += 1) {
        if ((await log.removeActivity(oldest(), PRUNED)) < PRUNED) return;
      }
    },
    settle: write,
    close() {
      tellCrowd();
      return write();
    },
  };
}

/** Two failures with the same one are counted together. */
const likeness = ({ action, status, actor, address, subject }: Omit<NewActivity, "at">): string =>
  JSON.stringify([action, status, actor.kind, actor.id, address, subject]);
