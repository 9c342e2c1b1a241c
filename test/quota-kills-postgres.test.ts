import { afterEach, expect, test } from "bun:test";
import { s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { api } from "./client.ts";
import { startServer, type TestServer } from "./harness.ts";
import {
  EDGE_SETTINGS,
  expectRightQuota,
  FOLDER,
  KILLS,
  KILLS_MS,
  killAgain,
  MAX_BYTES,
  SIZE,
  workWhile,
} from "./quota-edge.ts";
import { quotaRequests } from "./quotas.fixture.ts";
import { s3Environment } from "./s3-environment.ts";

let servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.discard()));
  servers = [];
});

async function startServers(): Promise<TestServer> {
  const env = {
    ...EDGE_SETTINGS,
    ...s3Environment(await (await s3Server()).fresh()),
    DATABASE_URL: await (await postgresServer()).fresh(),
    AUTH_SECRET: "a secret for three servers, long enough",
  };
  const first = await startServer(env);
  servers = [first, await startServer(env), await startServer(env)];
  await quotaRequests(first).limited(FOLDER, { maxBytes: MAX_BYTES });
  return first;
}

test("64 uploads to three servers at the edge of a quota never get above it", async () => {
  const first = await startServers();
  const statuses = await Promise.all(
    Array.from({ length: 64 }, async (_, number) => {
      const path = `/api/files/content?key=${FOLDER}/${number % 5}/${number}`;
      const to = servers[number % servers.length] ?? first;
      return (await api(to).json("PUT", path, "x".repeat(SIZE))).status;
    }),
  );
  expect(statuses.filter((status) => status === 201)).toHaveLength(20);
  expect(statuses.filter((status) => status === 507)).toHaveLength(44);
  expect(await quotaRequests(first).used(FOLDER)).toEqual([20 * SIZE, 20]);
  await expectRightQuota(first);
}, 120_000);

test(
  "the numbers of a quota are right after kills of three servers during uploads at its edge",
  async () => {
    const first = await startServers();
    const { stored, refused } = await workWhile(servers, () => killAgain(servers));
    expect(stored).toBeGreaterThan(KILLS);
    expect(refused).toBeGreaterThan(KILLS);
    await expectRightQuota(first);
  },
  KILLS_MS,
);
