import { ReadOnly } from "../domain/faults/fault.ts";
import type { JobState } from "../health/health.ts";
import { createThrottledReport } from "../lib/throttled-report.ts";
import { sleep } from "../runtime/sleep.ts";

/** Work that repeats. It does what a failed run left undone. */
export interface BackgroundJob {
  /** Shown in the health of the instance. */
  readonly name: string;
  /** Whether it removes what the others leave, and so runs after them. */
  readonly isLast?: boolean;
  run(): Promise<void>;
}

export interface JobRunner {
  /**
   * Runs all jobs at once, except those that still run, and then the last ones. Resolves when all have ended;
   * never rejects.
   */
  run(): Promise<void>;
}

interface JobFailure {
  readonly err: unknown;
  readonly job: string;
}

export interface JobRunnerDeps {
  readonly jobs: readonly BackgroundJob[];
  readonly log: { error(details: JobFailure, message: string): void };
  /** Called after each run of a job, with the states of all jobs. */
  readonly onStates: (states: readonly JobState[]) => void;
  /** Failures after the stop are not noted: the catalog may be closed. */
  readonly isStopped: () => boolean;
}

const MAX_MESSAGE = 200;
/** How long a job that hangs delays the last ones. */
const MAX_WAIT_MS = 5000;

/**
 * Runs each job on its own: a job that fails or hangs neither stops nor delays the others. Failures with the same
 * message are logged at most once a minute, whichever jobs they concern; the states have all of them.
 */
export function createJobRunner({ jobs, log, onStates, isStopped }: JobRunnerDeps): JobRunner {
  const running = new Map<string, Promise<void>>();
  const states = new Map<string, JobState>();
  // A catalog that does not respond fails all jobs in each run: once a minute is enough to know it.
  const report = createThrottledReport((message, details: JobFailure) =>
    log.error(details, message),
  );
  const stateOf = ({ name }: BackgroundJob): JobState => states.get(name) ?? neverRun(name);

  async function runOne(job: BackgroundJob): Promise<void> {
    const before = stateOf(job);
    try {
      await job.run();
      states.set(job.name, { ...before, succeededAt: Date.now(), failures: 0 });
    } catch (error) {
      if (isStopped()) return;
      const lastError = firstLine(error);
      // The catalog's own line says it.
      if (!(error instanceof ReadOnly)) {
        report(lastError, "A background job failed and will be retried", {
          err: error,
          job: job.name,
        });
      }
      states.set(job.name, { ...before, lastError, failures: before.failures + 1 });
    } finally {
      running.delete(job.name);
    }
    onStates(jobs.map(stateOf));
  }

  function start(chosen: readonly BackgroundJob[]): void {
    for (const job of chosen) {
      if (!running.has(job.name)) running.set(job.name, runOne(job));
    }
  }

  return {
    async run() {
      start(jobs.filter(({ isLast }) => isLast !== true));
      await Promise.race([Promise.all(running.values()), sleep(MAX_WAIT_MS)]);
      start(jobs.filter(({ isLast }) => isLast === true));
      await Promise.all(running.values());
    },
  };
}

const neverRun = (name: string): JobState => ({
  name,
  succeededAt: null,
  lastError: null,
  failures: 0,
});

const firstLine = (error: unknown): string =>
  ((error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "").slice(
    0,
    MAX_MESSAGE,
  );
