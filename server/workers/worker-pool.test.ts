import { expect, test } from "bun:test";
import { readConfig } from "../config/config.ts";
import type { SupervisorRpc, WorkerRpc } from "./rpc.ts";
import { createRpcChannel, type RpcChannel } from "./rpc-channel.ts";
import {
  createWorkerPool,
  type Ending,
  type WorkerPool,
  type WorkerPoolEvent,
} from "./worker-pool.ts";

/** A worker inside this process. */
interface Hand {
  readonly supervisor: RpcChannel<SupervisorRpc>;
  readonly name: string;
  readonly heard: string[];
  end(ending: Ending): void;
}

interface Bed {
  readonly pool: WorkerPool;
  /** Those that were told to serve, in that order. */
  readonly hands: Hand[];
  readonly events: WorkerPoolEvent[];
}

/** A pool of two. `serve` is what each does when it is told to, from the first. */
function openWorkerPool(serve: (count: number) => void = () => {}): Bed {
  const hands: Hand[] = [];
  const events: WorkerPoolEvent[] = [];
  const pool = createWorkerPool({
    size: 2,
    assignment: { config: readConfig({}, () => true), port: 1 },
    shared: {
      count: () => ({ allowed: true }),
      attempt: () => {},
      limitStoreState: () => "present" as const,
      forgive: () => {},
      change: async () => {},
    },
    onEvent: (event) => events.push(event),
    launch(receive) {
      const { promise: ended, resolve: end } = Promise.withResolvers<Ending>();
      const heard: string[] = [];
      const rpc: WorkerRpc = {
        async serve({ name }) {
          hands.push({ supervisor, name, heard, end });
          serve(hands.length);
        },
        onEvent: async (event) => void heard.push(event),
        startBackgroundJobs: () => void heard.push("care"),
        reclaimLeases: async (name) => void heard.push(`clear up ${name}`),
        stop: async () => end({ code: 0, signal: null }),
      };
      const supervisor = createRpcChannel<SupervisorRpc>(
        (batch) => receive(structuredClone(batch)),
        {
          ...rpc,
        },
      );
      return { pid: 1, ended, send: supervisor.receive, kill: () => end(KILLED) };
    },
  });
  return { pool, hands, events };
}

const KILLED: Ending = { code: null, signal: "SIGKILL" };

async function until(what: string, check: () => boolean): Promise<void> {
  for (let tries = 0; !check(); tries += 1) {
    if (tries > 1000) throw new Error(`Not in time: ${what}`);
    await Bun.sleep(10);
  }
}

test("one cares for all; when it ends another does, and clears up after it", async () => {
  const { pool, hands } = openWorkerPool();
  await pool.start();
  await until("one cares", () => hands.some(({ heard }) => heard.includes("care")));
  expect(hands.flatMap(({ heard }) => heard)).toEqual(["care"]);
  const first = hands.find(({ heard }) => heard.length > 0);
  const other = hands.find((hand) => hand !== first);
  first?.end(KILLED);
  await until("the other cares", () => other?.heard.length === 2);
  expect(other?.heard).toEqual(["care", `clear up ${first?.name}`]);
  await until("there is a new one", () => hands.length === 3);
  expect(new Set(hands.map(({ name }) => name)).size).toBe(3);
  await pool.stop(0);
});

test("event reach all others before they count as told, and nobody waits for the dead", async () => {
  const { pool, hands } = openWorkerPool();
  await pool.start();
  const [first, second] = hands;
  await first?.supervisor.call("broadcast", "settings changed");
  expect(second?.heard.filter((what) => what === "settings changed")).toEqual(["settings changed"]);
  expect(first?.heard).not.toContain("settings changed");
  second?.end(KILLED);
  await first?.supervisor.call("broadcast", "settings changed");
  await pool.stop(0);
});

test("one that ends again and again is replaced after longer and longer pauses, each told", async () => {
  const { pool, hands, events } = openWorkerPool();
  await pool.start();
  const pauses = (): number[] =>
    events.flatMap((event) => (event.event === "worker ended" ? [event.pause] : []));
  hands[0]?.end(KILLED);
  await until("it is replaced", () => hands.length === 3);
  hands[2]?.end({ code: 1, signal: null });
  await until("that is told", () => pauses().length === 2);
  expect(pauses()).toEqual([100, 2000]);
  expect(events.at(-1)).toMatchObject({ event: "worker ended", code: 1, signal: null });
  await pool.stop(0);
  const before = hands.length;
  await Bun.sleep(50);
  expect(hands.length).toBe(before);
});

test("a start that one of them fails fails, with its reason", async () => {
  const { pool } = openWorkerPool((count) => {
    if (count === 2) throw new Error("The catalog is damaged.");
  });
  await expect(pool.start()).rejects.toThrow("The catalog is damaged.");
  await pool.stop(0);
});
