import type { Assignment, PeerEvent, SupervisorRpc, WorkerRpc } from "./rpc.ts";
import { createRpcChannel, type MessageBatch, type RpcChannel } from "./rpc-channel.ts";

/** A number of worker processes, each of which is replaced when it ends. */
export interface WorkerPool {
  /** Resolves once all of them listen. Error: one of them cannot, and says why. */
  start(): Promise<void>;
  /** Lets them finish, for so many milliseconds at most; resolves when none of them lives. */
  stop(graceMs: number): Promise<void>;
}

export interface WorkerPoolParts {
  readonly size: number;
  readonly launch: Launch;
  readonly assignment: Omit<Assignment, "name" | "number">;
  /** What is done for them all in one place. */
  readonly shared: Omit<SupervisorRpc, "broadcast">;
  readonly onEvent: (event: WorkerPoolEvent) => void;
}

/** Starts a process that takes in and sends batches. Resolves `ended` when it has ended. */
export type Launch = (receive: (batch: MessageBatch) => void) => WorkerProcess;

export interface WorkerProcess {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  send(batch: MessageBatch): void;
  kill(): void;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: string | number | null;
}

export type WorkerPoolEvent =
  | { readonly event: "worker serves"; readonly worker: number; readonly pid: number }
  | ({ readonly event: "worker ended"; readonly worker: number; readonly pid: number } & Ending & {
        /** Milliseconds to the start of the next in its place. */
        readonly pause: number;
      })
  | { readonly event: "worker failed"; readonly worker: number; readonly cause: unknown };

interface PoolWorker {
  readonly number: number;
  readonly name: string;
  readonly process: WorkerProcess;
  readonly channel: RpcChannel<WorkerRpc>;
  readonly startedAt: number;
  serves: boolean;
}

/** Whoever stops a server may stop its workers in the same moment: none is replaced then. */
const LEAST_PAUSE = 100;
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
/** Whoever has lived for this long did not end for a reason that was there from the start. */
const SOUND = 60_000;
/** Milliseconds beyond the grace for what comes after the requests. */
const TIDYING = 10_000;
/** Milliseconds for another worker to act on event: one that hangs serves nobody, and is left alone. */
const HEARING = 5000;

export function createWorkerPool({
  size,
  launch,
  assignment,
  shared,
  onEvent,
}: WorkerPoolParts): WorkerPool {
  const members = new Map<number, PoolWorker>();
  /** Failures in a row, by the worker's number. */
  const failures = new Map<number, number>();
  const pauses = new Set<Timer>();
  /** Names of workers that have ended and may have left things behind. */
  const ended = new Set<string>();
  let leader: PoolWorker | undefined;
  let isStopping = false;

  function begin(number: number): Promise<void> {
    const name = crypto.randomUUID();
    const rpc: SupervisorRpc = { ...shared, broadcast: (event) => broadcastExcept(name, event) };
    const process = launch((batch) => channel.receive(batch));
    const channel = createRpcChannel<WorkerRpc>((batch) => process.send(batch), { ...rpc });
    const member: PoolWorker = {
      ...{ number, name, process, channel, startedAt: performance.now() },
      serves: false,
    };
    members.set(number, member);
    void process.ended.then((ending) => end(member, ending));
    return channel.call("serve", { ...assignment, name, number }).then(() => {
      member.serves = true;
      onEvent({ event: "worker serves", worker: number, pid: process.pid });
      void assign();
    });
  }

  function end(member: PoolWorker, ending: Ending): void {
    const { number, name, process, channel, startedAt, serves } = member;
    members.delete(number);
    channel.end();
    ended.add(name);
    if (leader === member) leader = undefined;
    if (isStopping) return;
    if (performance.now() - startedAt > SOUND) failures.delete(number);
    const pause = replaceLater(number, serves);
    onEvent({ event: "worker ended", worker: number, pid: process.pid, ...ending, pause });
    void assign();
  }

  /** Returns after how many milliseconds. */
  function replaceLater(number: number, served: boolean): number {
    const inRow = failures.get(number) ?? 0;
    failures.set(number, inRow + 1);
    const pause =
      inRow === 0 && served ? LEAST_PAUSE : Math.min(FIRST_PAUSE * 2 ** inRow, LONGEST_PAUSE);
    const timer = setTimeout(() => {
      pauses.delete(timer);
      try {
        // Whoever cannot serve says so, and ends.
        begin(number).catch((cause: unknown) => failed(number, cause));
      } catch (cause) {
        failed(number, cause);
        replaceLater(number, false);
      }
    }, pause);
    pauses.add(timer);
    return pause;
  }

  const failed = (worker: number, cause: unknown): void =>
    onEvent({ event: "worker failed", worker, cause });

  /** One of those who serve cares for all, and clears up after those who have ended. */
  async function assign(): Promise<void> {
    const found = leader ?? [...members.values()].find(({ serves }) => serves);
    if (found === undefined || isStopping) return;
    try {
      if (leader === undefined) {
        leader = found;
        await found.channel.call("startBackgroundJobs", null);
      }
      for (const name of ended) {
        await found.channel.call("reclaimLeases", name);
        ended.delete(name);
      }
    } catch (cause) {
      // Where it has ended, the next one is asked; otherwise with the next that ends.
      if (members.get(found.number) === found) failed(found.number, cause);
    }
  }

  async function broadcastExcept(name: string, event: PeerEvent): Promise<void> {
    // One that is just starting may have read the settings already.
    const others = [...members.values()].filter((each) => each.name !== name);
    const heard = others.map(({ channel }) => channel.call("onEvent", event).catch(() => {}));
    await Promise.race([Promise.all(heard), Bun.sleep(HEARING)]);
  }

  return {
    async start() {
      const numbers = Array.from({ length: size }, (_, index) => index + 1);
      await Promise.all(numbers.map(begin));
    },
    async stop(graceMs) {
      isStopping = true;
      for (const timer of pauses) clearTimeout(timer);
      const all = [...members.values()];
      for (const { channel } of all) channel.call("stop", graceMs).catch(() => {});
      const deadline = setTimeout(() => {
        for (const { process } of members.values()) process.kill();
      }, graceMs + TIDYING);
      await Promise.all(all.map(({ process }) => process.ended));
      clearTimeout(deadline);
    },
  };
}
