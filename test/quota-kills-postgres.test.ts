import { afterEach, expect, test } from "bun:test";
import { s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { api } from "./client.ts";
import {
  EDGE_SETTINGS,
  expectRightAfterKills,
  expectRightQuotas,
  FOLDER,
  KILLS_MS,
  limitSpaces,
} from "./quota-edge.ts";
import { SIZE } from "./quota-work.ts";
import { quotaRequests } from "./quotas.fixture.ts";
import { type S3TestServer, startS3Server } from "./s3-api/s3-server.fixture.ts";
import { s3Environment } from "./s3-environment.ts";

let servers: S3TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.discard()));
  servers = [];
});

async function startServers(): Promise<S3TestServer> {
  const env = {
    ...EDGE_SETTINGS,
    ...s3Environment(await (await s3Server()).fresh()),
    DATABASE_URL: await (await postgresServer()).fresh(),
  };
  const first = await startS3Server(env);
  servers = [first, await startS3Server(env), await startS3Server(env)];
  await limitSpaces(first);
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
  await expectRightQuotas(first);
}, 120_000);

test(
  "the numbers of quotas are right after each kill of one of three servers during all kinds of work",
  async () => {
    await startServers();
    await expectRightAfterKills(servers);
  },
  KILLS_MS,
);
