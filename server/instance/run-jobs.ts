import type { JobState } from "../health/health.ts";
import type { Log } from "../log.ts";
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

export interface JobRunnerDeps {
  readonly jobs: readonly BackgroundJob[];
  readonly log: Pick<Log, "error">;
  /** Called after each run of a job, with the states of all jobs. */
  readonly onStates: (states: readonly JobState[]) => void;
  /** Failures after the stop are not noted: the catalog may be closed. */
  readonly isStopped: () => boolean;
}

const MAX_MESSAGE = 200;
/** For how long a job that hangs delays the last ones. */
const MAX_WAIT_MS = 5000;

/** Runs each job on its own: a job that fails or hangs neither stops nor delays the others. */
export function createJobRunner({ jobs, log, onStates, isStopped }: JobRunnerDeps): JobRunner {
  const running = new Map<string, Promise<void>>();
  const states = new Map<string, JobState>();
  const stateOf = ({ name }: BackgroundJob): JobState => states.get(name) ?? neverRun(name);

  async function runOne(job: BackgroundJob): Promise<void> {
    const before = stateOf(job);
    try {
      await job.run();
      states.set(job.name, { ...before, succeededAt: Date.now(), failures: 0 });
    } catch (error) {
      if (isStopped()) return;
      log.error({ err: error, job: job.name }, "A background job failed and will be retried");
      const lastError = firstLine(error);
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
