import { afterEach, expect, test } from "bun:test";
import { s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { api, unique } from "./client.ts";
import { workersOf } from "./each-worker.ts";
import { eventually } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { s3Environment } from "./s3-environment.ts";
import { firstArrivals, type Receiver, startReceiver } from "./webhook-receiver.ts";

/** Set to 300 for a long run. */
const KILLS = Number(process.env.HOLDALL_TEST_KILLS ?? 6);

let servers: TestServer[] = [];
let receiver: Receiver | undefined;
afterEach(async () => {
  await Promise.all(servers.map((server) => server.discard()));
  servers = [];
  receiver?.close();
});

/** Puts files one after the other while servers are killed. Returns the keys that were acknowledged, in order. */
async function putWhile(kills: () => Promise<void>): Promise<string[]> {
  const folder = unique("kills");
  const acknowledged: string[] = [];
  let isOver = false;
  const client = (async () => {
    for (let number = 0; !isOver; number += 1) {
      const server = servers[number % servers.length];
      const key = `${folder}/${number}`;
      const isDone = await (server === undefined ? undefined : api(server).put(key, "x"))
        ?.then(() => true)
        .catch(() => false);
      if (isDone === true) acknowledged.push(key);
      await Bun.sleep(15);
    }
  })();
  try {
    await kills();
  } finally {
    isOver = true;
    await client;
  }
  return acknowledged;
}

async function expectAll(at: Receiver, acknowledged: readonly string[]): Promise<void> {
  expect(acknowledged.length).toBeGreaterThan(KILLS * 2);
  const expected = new Set(acknowledged);
  await eventually("all deliveries", () => new Set(at.keys()).isSupersetOf(expected));
  expect(firstArrivals(at.received).filter((key) => expected.has(key))).toEqual([...acknowledged]);
}

async function begin(env: Readonly<Record<string, string>>, count: number): Promise<Receiver> {
  receiver = await startReceiver();
  const first = await startServer({ ...env, OUTGOING_ALLOW: "127.0.0.1" });
  servers = [first];
  while (servers.length < count) {
    servers.push(await startServer({ ...env, OUTGOING_ALLOW: "127.0.0.1" }));
  }
  const hook = { name: "kills", url: receiver.url, kinds: ["file.created"] };
  expect((await api(first).json("POST", "/api/webhooks", hook)).status).toBe(200);
  return receiver;
}

const random = (max: number): number => Math.floor(Math.random() * max);

test(
  "a server with two workers, killed again and again, delivers every change in order",
  async () => {
    const at = await begin({ WORKERS: "2" }, 1);
    const acknowledged = await putWhile(async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await Bun.sleep(200 + random(600));
        const [server] = servers;
        if (server === undefined) throw new Error("There is no server.");
        if (kill % 2 === 0) {
          await server.kill();
          await server.restart();
        } else {
          const workers = workersOf(server);
          const victim = workers[random(workers.length)];
          if (victim !== undefined) process.kill(victim, "SIGKILL");
        }
      }
      await Bun.sleep(500);
    });
    await expectAll(at, acknowledged);
  },
  600_000 + KILLS * 5000,
);

test(
  "three servers with one catalog, killed again and again, deliver every change in order",
  async () => {
    const url = await (await postgresServer()).fresh();
    const bucket = s3Environment(await (await s3Server()).fresh());
    const at = await begin(
      { ...bucket, DATABASE_URL: url, AUTH_SECRET: "a secret for three servers, long enough" },
      3,
    );
    const acknowledged = await putWhile(async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await Bun.sleep(200 + random(600));
        const server = servers[random(servers.length)];
        await server?.kill();
        await server?.restart();
      }
      await Bun.sleep(500);
    });
    await expectAll(at, acknowledged);
    // One at a time sends: what was sent twice was sent before a kill.
    expect(at.received.length).toBeLessThan(acknowledged.length + KILLS * 25 + 50);
  },
  600_000 + KILLS * 5000,
);
