import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { api, send } from "./client.ts";
import { type FaultName, type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { startServer, type TestServer } from "./harness.ts";
import { onS3 } from "./on-s3.ts";
import { storm } from "./s3-storm.ts";

test.skipIf(!hasS3Server)(
  "with a tenth of S3's answers failing, nothing acknowledged is lost and nothing is left over",
  async () => {
    const settings = await (await s3Server()).fresh();
    const { faults, refused, ...report } = await storm(settings, 300, 20_261);
    expect(report).toMatchObject({ lost: [], leftovers: [], problems: [] });
    expect(faults).toBeGreaterThan(30);
    // Most operations take three failures in a row to fail.
    expect(refused).toBeLessThan(30);
  },
  180_000,
);

describe.skipIf(!hasS3Server)("while S3 is silent", () => {
  const TIMEOUT_MS = 3000;
  let proxy: FaultProxy;
  let server: TestServer;
  let fault: FaultName | undefined;

  beforeAll(async () => {
    const settings = await (await s3Server()).fresh();
    proxy = await startFaultProxy(settings.endpoint, () => fault);
    const env = onS3({ ...settings, endpoint: proxy.url });
    server = await startServer({ ...env, S3_TIMEOUT: `${TIMEOUT_MS / 1000}s` });
    await api(server).put("there.bin", new Uint8Array(100_000));
  }, 60_000);
  afterAll(async () => {
    await server.discard();
    await proxy.close();
  });

  test("whoever needs it has an error in time, and nobody else waits", async () => {
    fault = "silence before";
    const from = performance.now();
    const waiting = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) => [
      send(server, "GET", "/api/hosting/there.bin").then(({ status }) => status),
      api(server)
        .put(`new-${n}.txt`)
        .then(
          () => 200,
          (error: unknown) => (String(error).includes("Status 503") ? 503 : error),
        ),
    ]);
    let isFirst = false;
    const first = Promise.race(waiting).then(() => {
      isFirst = true;
    });
    for (let call = 0; call < 50; call += 1) {
      expect((await api(server).json("GET", "/api/files")).status).toBe(200);
    }
    expect(isFirst).toBe(false);
    expect((await send(server, "GET", "/api/health/ready")).status).toBe(503);
    await first;
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 503));
    // The time limit and what a busy machine adds.
    expect(performance.now() - from).toBeLessThan(TIMEOUT_MS + 4000);
    fault = undefined;
    await api(server).put("after.txt");
    expect((await send(server, "GET", "/api/hosting/there.bin")).bytes.length).toBe(100_000);
  }, 60_000);
});
