import { expect, test } from "bun:test";
import { eventually } from "../../test/expectations.ts";
import { readConfig } from "../config/read-config.ts";
import type { SupervisorRpc, WorkerRpc } from "./rpc.ts";
import { createRpcChannel, type RpcChannel } from "./rpc-channel.ts";
import {
  createWorkerPool,
  type ExitStatus,
  type WorkerPool,
  type WorkerPoolEvent,
} from "./worker-pool.ts";

/** A worker that runs in this process. */
interface FakeWorker {
  readonly supervisor: RpcChannel<SupervisorRpc>;
  readonly id: string;
  readonly received: string[];
  exit(status: ExitStatus): void;
}

interface PoolFixture {
  readonly pool: WorkerPool;
  /** In the order in which they began to serve. */
  readonly workers: FakeWorker[];
  readonly events: WorkerPoolEvent[];
}

/** A pool of two. `onServe` runs with the number of workers started so far. */
function openWorkerPool(onServe: (count: number) => void = () => {}): PoolFixture {
  const workers: FakeWorker[] = [];
  const events: WorkerPoolEvent[] = [];
  const pool = createWorkerPool({
    size: 2,
    assignment: { config: readConfig({}), port: 1, s3Port: null },
    shared: {
      countRequest: () => ({ allowed: true }),
      beginPasswordAttempt: () => "allowed" as const,
      limitStoreState: () => "connected" as const,
      endPasswordAttempt: () => {},
      change: async () => {},
    },
    onEvent: (event) => events.push(event),
    launch(receive) {
      const { promise: exited, resolve: exit } = Promise.withResolvers<ExitStatus>();
      const received: string[] = [];
      const rpc: WorkerRpc = {
        async serve({ workerId: id }) {
          workers.push({ supervisor, id, received, exit });
          onServe(workers.length);
        },
        onEvent: async (event) => void received.push(event),
        readCounts: async () => undefined,
        ping: () => {},
        startBackgroundJobs: () => void received.push("start jobs"),
        reclaimLeases: async (workerId) => void received.push(`reclaim ${workerId}`),
        drain: async () => {},
        stop: async () => exit({ code: 0, signal: null }),
      };
      const supervisor = createRpcChannel<SupervisorRpc>(
        (batch) => receive(structuredClone(batch)),
        { ...rpc },
      );
      return { pid: 1, exited, send: supervisor.receive, kill: () => exit(KILLED) };
    },
  });
  return { pool, workers, events };
}

const KILLED: ExitStatus = { code: null, signal: "SIGKILL" };

test("one worker leads; when it exits another takes over and reclaims its leases", async () => {
  const { pool, workers } = openWorkerPool();
  await pool.start();
  await eventually("there is a leader", () =>
    workers.some(({ received }) => received.includes("start jobs")),
  );
  expect(workers.flatMap(({ received }) => received)).toEqual(["start jobs"]);
  const first = workers.find(({ received }) => received.length > 0);
  const second = workers.find((worker) => worker !== first);
  first?.exit(KILLED);
  await eventually("the second leads", () => second?.received.length === 2);
  expect(second?.received).toEqual(["start jobs", `reclaim ${first?.id}`]);
  await eventually("the first is replaced", () => workers.length === 3);
  expect(new Set(workers.map(({ id }) => id)).size).toBe(3);
  await pool.stop(0);
});

test("a broadcast waits for all other workers, and not for exited ones", async () => {
  const { pool, workers } = openWorkerPool();
  await pool.start();
  const [first, second] = workers;
  await first?.supervisor.call("broadcast", "settings changed");
  expect(second?.received.filter((what) => what === "settings changed")).toHaveLength(1);
  expect(first?.received).not.toContain("settings changed");
  second?.exit(KILLED);
  await first?.supervisor.call("broadcast", "settings changed");
  await pool.stop(0);
});

test("restarts a worker that keeps exiting after growing delays, and reports each exit", async () => {
  const { pool, workers, events } = openWorkerPool();
  await pool.start();
  const delays = (): number[] =>
    events.flatMap((event) => (event.event === "worker exited" ? [event.restartInMs] : []));
  workers[0]?.exit(KILLED);
  await eventually("it is replaced", () => workers.length === 3);
  workers[2]?.exit({ code: 1, signal: null });
  await eventually("the second exit is reported", () => delays().length === 2);
  expect(delays()).toEqual([100, 2000]);
  expect(events.at(-1)).toMatchObject({ event: "worker exited", code: 1, signal: null });
  await pool.stop(0);
  const before = workers.length;
  // A worker that had been restarted would have appeared by now.
  await Bun.sleep(50);
  expect(workers.length).toBe(before);
});

test("the start fails with the reason of the worker that cannot serve", async () => {
  const { pool } = openWorkerPool((count) => {
    if (count === 2) throw new Error("The catalog is damaged.");
  });
  await expect(pool.start()).rejects.toThrow("The catalog is damaged.");
  await pool.stop(0);
});
