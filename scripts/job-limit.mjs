import { availableParallelism, cpus, freemem } from "node:os";

const MEASURE_MS = 1000;
/** Idle shares of the processors from which on one job more runs, and below which one fewer starts. */
const IDLE = 0.15;
const BUSY = 0.03;
/** Memory that must be free for one job more. */
const JOB_BYTES = 1.5 * 1024 ** 3;
const MAX_JOBS_PER_PROCESSOR = 4;

/**
 * Limits the jobs that run at once: to `fixed` if that is above 0. Otherwise the number follows the
 * processors. Most tests wait for timers, disks and processes, so it grows while processors are
 * idle, and falls to one for each processor while all are busy, whatever keeps them busy. Waiting for
 * the disk is not idleness.
 */
export function createJobLimit(fixed) {
  const min = Math.max(2, availableParallelism());
  const max = min * MAX_JOBS_PER_PROCESSOR;
  let jobs = fixed > 0 ? fixed : min;
  let running = 0;
  let wake = () => undefined;
  let from = { idle: idleMs(), time: performance.now() };

  const adjust = () => {
    const now = { idle: idleMs(), time: performance.now() };
    const idle = (now.idle - from.idle) / ((now.time - from.time) * cpus().length);
    from = now;
    if (idle < BUSY) jobs = Math.max(min, jobs - 1);
    else if (idle > IDLE && running >= jobs && freemem() > JOB_BYTES)
      jobs = Math.min(max, jobs + 1);
    wake();
  };
  const timer = fixed > 0 ? undefined : setInterval(adjust, MEASURE_MS);

  return {
    /** Resolves when one job more may run; `end` must follow it. For one caller at a time. */
    async begin() {
      while (running >= jobs) {
        await new Promise((resolve) => {
          wake = resolve;
        });
      }
      running += 1;
    },
    end() {
      running -= 1;
      wake();
    },
    stop: () => clearInterval(timer),
  };
}

/** What all processors have been idle since the start of the machine. */
const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0);
