import { afterAll, beforeAll, expect, test } from "bun:test";
import { api } from "../client.ts";
import { eventually } from "../expectations.ts";
import { startServer, type TestServer } from "../harness.ts";
import { blobsOf } from "../snapshot.ts";
import { healthTimes, openSlowClients, uploadSlowly } from "./slow-clients.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.discard());

test("beside 200 slow clients others are served, and a slow but steady upload comes whole", async () => {
  const slow = await openSlowClients(server, 200, 200);
  const [times, status] = await Promise.all([
    healthTimes(server, 50, 20),
    uploadSlowly(server, 60_000, 20_000),
  ]);
  expect(times).toHaveLength(50);
  expect(status).toBe(200);
  expect(slow.dropped).toBe(0);
  expect((await api(server).list()).map(({ name, size }) => [name, size])).toEqual([
    ["steady.bin", 60_000],
  ]);
  slow.discard();
  await eventually(
    "what the others began is gone",
    () => blobsOf(server.dataPath).length === 1,
    10_000,
  );
  expect(server.output()).not.toContain("Unexpected server error");
});
