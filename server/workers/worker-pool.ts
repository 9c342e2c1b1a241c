import type { JobState } from "../health/health.ts";
import type { ProcessCounts } from "../metrics/request-counts.ts";
import { sleep } from "../runtime/sleep.ts";
import { createEventDelivery, type EventDelivery } from "./event-delivery.ts";
import type { Assignment, PeerEvent, SupervisorRpc, WorkerRpc } from "./rpc.ts";
import { createRpcChannel, type MessageBatch, type RpcChannel } from "./rpc-channel.ts";

/** A fixed number of worker processes; one that exits is replaced. */
export interface WorkerPool {
  /** Resolves once all workers listen. Error: the reason why one of them cannot. */
  start(): Promise<void>;
  /** Drains all workers, and replaces none from now on; see `App.drain`. */
  drain(): Promise<void>;
  /** Lets the workers finish within `graceMs`; resolves when all have exited. */
  stop(graceMs: number): Promise<void>;
}

export interface WorkerPoolDeps {
  readonly size: number;
  readonly launch: LaunchWorker;
  readonly assignment: Omit<Assignment, "workerId" | "number">;
  /** What the supervisor does for all workers. */
  readonly shared: Omit<
    SupervisorRpc,
    "broadcast" | "peerCounts" | "workerCounts" | "noteJobs" | "jobs"
  >;
  readonly onEvent: (event: WorkerPoolEvent) => void;
}

/** Starts a worker process; `receive` handles its messages. */
export type LaunchWorker = (receive: (batch: MessageBatch) => void) => WorkerProcess;

export interface WorkerProcess {
  readonly pid: number;
  readonly exited: Promise<ExitStatus>;
  send(batch: MessageBatch): void;
  kill(): void;
}

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | number | null;
}

export type WorkerPoolEvent =
  | { readonly event: "worker serves"; readonly worker: number; readonly pid: number }
  | ({
      readonly event: "worker exited";
      readonly worker: number;
      readonly pid: number;
    } & ExitStatus & {
        /** Milliseconds until its replacement starts. */
        readonly restartInMs: number;
      })
  /** Its process is stopped or hangs, or continues. Connections that it has accepted wait for it. */
  | {
      readonly event: "worker frozen" | "worker answers";
      readonly worker: number;
      readonly pid: number;
      readonly seconds: number;
    }
  | { readonly event: "worker failed"; readonly worker: number; readonly cause: unknown };

interface PoolWorker {
  readonly number: number;
  readonly id: string;
  readonly process: WorkerProcess;
  readonly channel: RpcChannel<WorkerRpc>;
  readonly events: EventDelivery;
  readonly startedAt: number;
  isServing: boolean;
}

/** Not 0: a signal that stops the server may reach its workers first, and they must not be replaced. */
const MIN_RESTART_MS = 100;
const FIRST_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 30_000;
/** A worker that ran this long did not fail from the start: its backoff begins anew. */
const STABLE_AFTER_MS = 60_000;
/** Time beyond the grace period for work after the requests. */
const SHUTDOWN_MARGIN_MS = 10_000;
const MAX_DRAIN_MS = 10_000;
/** Time for the other workers to handle an event. A worker that is frozen is not waited for. */
const EVENT_TIMEOUT_MS = 5000;
/** A worker that is frozen is missing in the sums. */
const COUNTS_TIMEOUT_MS = 1000;

export function createWorkerPool({
  size,
  launch,
  assignment,
  shared,
  onEvent,
}: WorkerPoolDeps): WorkerPool {
  const workers = new Map<number, PoolWorker>();
  /** Consecutive failures, by the worker's number. */
  const failures = new Map<number, number>();
  const restartTimers = new Set<Timer>();
  /** Ids of exited workers whose leases are not reclaimed yet. */
  const exitedIds = new Set<string>();
  let leader: PoolWorker | undefined;
  let jobs: readonly JobState[] = [];
  let isStopping = false;

  function start(number: number): Promise<void> {
    const id = crypto.randomUUID();
    const rpc: SupervisorRpc = {
      ...shared,
      broadcast: (event) => broadcast(id, event),
      peerCounts: () => peerCounts(id),
      workerCounts: () => ({
        configured: size,
        running: [...workers.values()].filter(({ isServing }) => isServing).length,
      }),
      noteJobs(states) {
        jobs = states;
      },
      jobs: () => jobs,
    };
    const process = launch((batch) => channel.receive(batch));
    const channel = createRpcChannel<WorkerRpc>((batch) => process.send(batch), { ...rpc });
    const events = createEventDelivery(channel, ({ event, seconds }) =>
      onEvent({ event: `worker ${event}`, worker: number, pid: process.pid, seconds }),
    );
    const worker: PoolWorker = {
      number,
      id,
      process,
      channel,
      events,
      startedAt: performance.now(),
      isServing: false,
    };
    workers.set(number, worker);
    void process.exited.then((status) => onExit(worker, status));
    return channel.call("serve", { ...assignment, workerId: id, number }).then(() => {
      worker.isServing = true;
      onEvent({ event: "worker serves", worker: number, pid: process.pid });
      void updateLeader();
    });
  }

  function onExit(worker: PoolWorker, status: ExitStatus): void {
    const { number, id, process, channel, events, startedAt, isServing } = worker;
    workers.delete(number);
    channel.close();
    events.close();
    exitedIds.add(id);
    if (leader === worker) leader = undefined;
    if (isStopping) return;
    if (performance.now() - startedAt > STABLE_AFTER_MS) failures.delete(number);
    const restartInMs = scheduleRestart(number, isServing);
    onEvent({ event: "worker exited", worker: number, pid: process.pid, ...status, restartInMs });
    void updateLeader();
  }

  /** Returns the milliseconds until the restart. */
  function scheduleRestart(number: number, wasServing: boolean): number {
    const failed = failures.get(number) ?? 0;
    failures.set(number, failed + 1);
    const delay =
      failed === 0 && wasServing
        ? MIN_RESTART_MS
        : Math.min(FIRST_BACKOFF_MS * 2 ** failed, MAX_BACKOFF_MS);
    const timer = setTimeout(() => {
      restartTimers.delete(timer);
      try {
        // A worker that cannot serve exits, which schedules the next restart.
        start(number).catch((cause: unknown) => reportFailure(number, cause));
      } catch (cause) {
        reportFailure(number, cause);
        scheduleRestart(number, false);
      }
    }, delay);
    restartTimers.add(timer);
    return delay;
  }

  const reportFailure = (worker: number, cause: unknown): void =>
    onEvent({ event: "worker failed", worker, cause });

  /** Makes one serving worker the leader, and lets it reclaim the leases of exited workers. */
  async function updateLeader(): Promise<void> {
    const worker = leader ?? [...workers.values()].find(({ isServing }) => isServing);
    if (worker === undefined || isStopping) return;
    try {
      if (leader === undefined) {
        leader = worker;
        await worker.channel.call("startBackgroundJobs", null);
      }
      for (const id of exitedIds) {
        await worker.channel.call("reclaimLeases", id);
        exitedIds.delete(id);
      }
    } catch (cause) {
      // If it has exited, the next leader takes over; otherwise the next exit tries again.
      if (workers.get(worker.number) === worker) reportFailure(worker.number, cause);
    }
  }

  async function peerCounts(readerId: string): Promise<readonly ProcessCounts[]> {
    const peers = [...workers.values()].filter(({ id, isServing }) => isServing && id !== readerId);
    const nothing = sleep(COUNTS_TIMEOUT_MS).then(() => undefined);
    const counts = peers.map(({ channel }) =>
      Promise.race([channel.call("readCounts", null).catch(() => undefined), nothing]),
    );
    return (await Promise.all(counts)).filter((each) => each !== undefined);
  }

  async function broadcast(senderId: string, event: PeerEvent): Promise<void> {
    // Starting workers too: they may have read the settings already.
    const peers = [...workers.values()].filter(({ id }) => id !== senderId);
    const handled = peers.map(({ events }) => events.deliver(event));
    await Promise.race([Promise.all(handled), sleep(EVENT_TIMEOUT_MS)]);
  }

  return {
    async start() {
      const numbers = Array.from({ length: size }, (_, index) => index + 1);
      await Promise.all(numbers.map(start));
    },
    async drain() {
      isStopping = true;
      const drained = [...workers.values()].map(({ channel }) =>
        channel.call("drain", null).catch(() => {}),
      );
      // A worker that is frozen is not waited for.
      await Promise.race([Promise.all(drained), sleep(MAX_DRAIN_MS)]);
    },
    async stop(graceMs) {
      isStopping = true;
      for (const timer of restartTimers) clearTimeout(timer);
      const all = [...workers.values()];
      for (const { channel } of all) channel.call("stop", graceMs).catch(() => {});
      const killTimer = setTimeout(() => {
        for (const { process } of workers.values()) process.kill();
      }, graceMs + SHUTDOWN_MARGIN_MS);
      await Promise.all(all.map(({ process }) => process.exited));
      clearTimeout(killTimer);
    },
  };
}
