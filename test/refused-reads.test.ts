import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { send, unique } from "./client.ts";
import { eachWorker, type WorkerEndpoint } from "./each-worker.ts";
import { expectFault } from "./expectations.ts";
import { type FaultName, type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { startServer, type TestServer } from "./harness.ts";
import { s3Environment } from "./s3-environment.ts";
import { append, createUpload, noise, offsetOf, sha256 } from "./upload-url.ts";

const bytes = noise(3_000_000);
const START = 1_000_000;
const FAULTS: readonly FaultName[] = ["503 instead", "404 instead", "500 instead", "reset before"];

describe.skipIf(!hasS3Server || process.platform !== "linux")("while S3 refuses reads", () => {
  let proxy: FaultProxy;
  let server: TestServer;
  let endpoints: WorkerEndpoint[];
  let choose: (head: string) => FaultName | undefined = () => undefined;

  beforeAll(async () => {
    const settings = await (await s3Server()).fresh();
    proxy = await startFaultProxy(settings.endpoint, (head) =>
      /^GET \S+\/blobs\/\S+\/\S+ /.test(head) && !head.includes("uploadId=")
        ? choose(head)
        : undefined,
    );
    const env = s3Environment({ ...settings, endpoint: proxy.url });
    server = await startServer({ ...env, WORKERS: "2" });
    endpoints = await eachWorker(server);
  });
  afterAll(async () => {
    for (const endpoint of endpoints) endpoint.close();
    await server.discard();
    await proxy.close();
  });

  async function begin() {
    const [one, other] = endpoints;
    if (one === undefined || other === undefined) throw new Error("There are no two workers");
    const folder = unique("refused");
    const path = await createUpload(one, { folder, size: bytes.length });
    expect((await append(one, path, 0, bytes.subarray(0, START))).status).toBe(204);
    return { other, folder, path };
  }

  async function finish({ other, folder, path }: Awaited<ReturnType<typeof begin>>) {
    choose = () => undefined;
    const offset = await offsetOf(other, path);
    expect(offset).toBeGreaterThanOrEqual(START);
    expect((await append(other, path, offset, bytes.subarray(offset))).status).toBe(204);
    const whole = await send(other, "GET", `/api/hosting/${folder}/file.bin`);
    expect(sha256(whole.bytes)).toBe(sha256(bytes));
  }

  test.each(FAULTS)(
    "an upload that another process continues is 503 and stays: %s",
    async (fault) => {
      const upload = await begin();
      choose = () => fault;
      const { other, path } = upload;
      const answer = await append(other, path, START, bytes.subarray(START));
      expectFault(answer, 503);
      expect(answer.header("retry-after")).toBe("5");
      await finish(upload);
    },
  );

  test.each(FAULTS)("an upload whose content is read again at its end stays: %s", async (fault) => {
    const upload = await begin();
    let reads = 0;
    // The first reads the last bytes of the first request.
    choose = () => {
      reads += 1;
      return reads > 1 ? fault : undefined;
    };
    const { other, path } = upload;
    expectFault(await append(other, path, START, bytes.subarray(START)), 503);
    await finish(upload);
  });
});
