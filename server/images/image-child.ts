import { readFileSync } from "node:fs";
import { Fault } from "../domain/faults/fault.ts";
import type { RenderJob, RenderResult } from "./rendering.ts";

/** A running child process that renders images, or something else that may be costly. */
export interface ImageProcess<Job = RenderJob> {
  readonly pid: number;
  readonly exited: Promise<unknown>;
  send(job: Job): void;
  kill(): void;
}

/** Starts the child. `receive` gets its reply to each job. */
export type LaunchImageProcess<Job = RenderJob, Result = RenderResult> = (
  receive: (result: Result) => void,
) => ImageProcess<Job>;

/** The job took too much time or memory. */
export interface TooCostly {
  readonly flaw: "too costly";
}

/** Renders one image at a time in a child process, which is started when it is needed. */
export interface ImageChild<Job = RenderJob, Result = RenderResult> {
  /**
   * The caller waits for a job before it gives the next. Fault "unavailable": the machine is too busy.
   * Rejects after `close`.
   */
  render(job: Job): Promise<Result | TooCostly>;
  close(): Promise<void>;
}

export interface ImageLimits {
  /** Elapsed time of one image. A busy machine gives the child little time, so this is far more than `cpuMs`. */
  readonly wallMs: number;
  /** Processor time of one image. */
  readonly cpuMs: number;
  /** Memory of the child. */
  readonly bytes: number;
}

export const IMAGE_LIMITS: ImageLimits = {
  wallMs: 60_000,
  cpuMs: 10_000,
  bytes: 600 * 1024 ** 2,
};

const RETRY_AFTER_SECONDS = 10;
/** How often the limits are checked. */
const CHECK_MS = 50;
/** A child without work ends, and its memory is free again. */
const IDLE_MS = 60_000;

interface Running<Job> {
  readonly process: ImageProcess<Job>;
  isAlive: boolean;
}

/** A child that ends by itself during a job is replaced once; after that the image is too costly. */
export function createImageChild<Job = RenderJob, Result = RenderResult>(
  launch: LaunchImageProcess<Job, Result>,
  limits: ImageLimits = IMAGE_LIMITS,
): ImageChild<Job, Result> {
  let running: Running<Job> | undefined;
  let current: ((result: Result | TooCostly | "ended") => void) | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function start(): Running<Job> {
    const process = launch((result) => current?.(result));
    const started: Running<Job> = { process, isAlive: true };
    void process.exited.then(() => {
      started.isAlive = false;
      if (running !== started) return;
      running = undefined;
      current?.("ended");
    });
    return started;
  }

  function stop(): void {
    running?.process.kill();
    running = undefined;
  }

  async function attempt(job: Job): Promise<Result | TooCostly | "ended"> {
    running ??= start();
    const { process } = running;
    const startedAt = performance.now();
    const before = readProcessUse(process.pid);
    let checks: ReturnType<typeof setInterval> | undefined;
    try {
      return await new Promise((resolve, reject) => {
        current = resolve;
        checks = setInterval(() => {
          const isLate = performance.now() - startedAt > limits.wallMs;
          const now = readProcessUse(process.pid);
          const isCostly = now === undefined ? isLate : exceeds(limits, before, now);
          if (!isCostly && !isLate) return;
          stop();
          // On a busy machine, others have used the time.
          if (isCostly) resolve({ flaw: "too costly" });
          else reject(tooBusy());
        }, CHECK_MS);
        process.send(job);
      });
    } finally {
      current = undefined;
      clearInterval(checks);
    }
  }

  return {
    async render(job) {
      if (isClosed) throw new Error("The server is stopping.");
      clearTimeout(idle);
      let result = await attempt(job);
      if (result === "ended" && !isClosed) result = await attempt(job);
      if (isClosed) throw new Error("The server is stopping.");
      idle = setTimeout(stop, IDLE_MS);
      idle.unref();
      return result === "ended" ? { flaw: "too costly" } : result;
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      const last = running;
      stop();
      current?.("ended");
      await last?.process.exited;
    },
  };
}

/** The processor time that a process has used so far, and the memory that it uses now. */
interface ProcessUse {
  readonly cpuMs: number;
  readonly bytes: number;
}

/** Linux counts processor time in hundredths of a second on every platform that Bun supports. */
const TICK_MS = 10;

/** Reads the use of a process; undefined: it has ended, or the system has no /proc. */
function readProcessUse(pid: number): ProcessUse | undefined {
  try {
    // The fields follow the program's name in parentheses, which may contain anything (proc(5)).
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
    return { cpuMs, bytes: Number(kilobytes?.[1] ?? 0) * 1024 };
  } catch {
    return undefined;
  }
}

const tooBusy = (): Fault =>
  new Fault("unavailable", "The server is too busy to scale this image. Try again shortly.", {
    retryAfter: RETRY_AFTER_SECONDS,
  });

function exceeds(limits: ImageLimits, before: ProcessUse | undefined, now: ProcessUse): boolean {
  return now.bytes > limits.bytes || now.cpuMs - (before?.cpuMs ?? 0) > limits.cpuMs;
}
