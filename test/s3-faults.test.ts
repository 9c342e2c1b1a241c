import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { createS3Client } from "../server/blobs/s3/s3-client.ts";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import type { S3Settings } from "../server/blobs/s3/s3-settings.ts";
import { api, send } from "./client.ts";
import { eventually } from "./expectations.ts";
import { type FaultName, type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { startServer, type TestServer } from "./harness.ts";
import { keysIn, s3Environment } from "./s3-environment.ts";

describe.skipIf(!hasS3Server)("a read from S3 that ends early", () => {
  const SIZE = 30_000_000;
  let settings: S3Settings;
  let proxy: FaultProxy;
  let server: TestServer;
  let choose: (head: string) => FaultName | undefined = () => undefined;

  beforeAll(async () => {
    settings = await (await s3Server()).fresh();
    proxy = await startFaultProxy(settings.endpoint, (head) => choose(head));
    const env = s3Environment({ ...settings, endpoint: proxy.url });
    // The S3 server is shared with other tests, and can stall for seconds on a busy machine.
    server = await startServer({ ...env, S3_TIMEOUT: "10s" });
    await api(server).put("large.bin", new Uint8Array(SIZE).fill(5));
  });
  /** After a fault, a busy machine may stop asking S3 for a moment. */
  async function recover(): Promise<void> {
    choose = () => undefined;
    await eventually("S3 is read again", async () => {
      const range = { Range: "bytes=0-0" };
      return (await send(server, "GET", "/api/hosting/large.bin", range)).status !== 503;
    });
  }
  beforeEach(recover);
  afterAll(async () => {
    await server.discard();
    await proxy.close();
  });

  const reads = (head: string): boolean => head.startsWith("GET") && head.includes("/blobs/");

  test("is continued where it broke off", async () => {
    let first = true;
    choose = (head) => {
      const fault = reads(head) && first ? "cut body" : undefined;
      if (fault !== undefined) first = false;
      return fault;
    };
    const answer = await send(server, "GET", "/api/hosting/large.bin");
    expect(first).toBe(false);
    expect([answer.status, answer.bytes.length]).toEqual([200, SIZE]);
    expect(answer.bytes.every((byte) => byte === 5)).toBe(true);
  });

  const thenSilence = () => {
    let first = true;
    return (head: string): FaultName | undefined => {
      if (!reads(head)) return undefined;
      if (!first) return "silence before";
      first = false;
      return "cut body";
    };
  };

  test("cuts the response if it cannot be continued", async () => {
    // If S3 fails before the response has started, it is 503 instead.
    for (let tries = 1, status = 0; status !== 200; tries += 1) {
      expect(tries).toBeLessThan(10);
      await recover();
      choose = thenSilence();
      const answer = await fetch(`${server.url}/api/hosting/large.bin`);
      status = answer.status;
      if (status === 200) await expect(answer.arrayBuffer()).rejects.toThrow();
      else expect(status).toBe(503);
    }
  });

  test("is 503 if the file is buffered whole", async () => {
    await api(server).put("small.bin", new Uint8Array(1_000_000));
    choose = thenSilence();
    const answer = await send(server, "GET", "/api/hosting/small.bin");
    expect([answer.status, answer.header("retry-after")]).toEqual([503, "5"]);
    choose = () => undefined;
    const again = await send(server, "GET", "/api/hosting/small.bin");
    expect([again.header("content-length"), again.bytes.length]).toEqual(["1000000", 1_000_000]);
  });

  test("resets the connection of an HTTP/1.0 client, which gets no length", async () => {
    for (let tries = 1, begin = ""; !begin.includes(" 200 "); tries += 1) {
      expect(tries).toBeLessThan(10);
      await recover();
      choose = thenSilence();
      const socket = connect(server.port, "127.0.0.1");
      socket.write("GET /api/hosting/large.bin HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n");
      begin = "";
      socket.on("data", (chunk) => {
        if (begin === "") begin = String(chunk).slice(0, 100);
      });
      const end = await Promise.race([
        once(socket, "end").then(() => "ended"),
        once(socket, "error").then(([error]) => error.code),
      ]).catch((error) => error.code);
      socket.destroy();
      if (begin.includes(" 200 ")) expect(end).toBe("ECONNRESET");
    }
  });

  test("is aborted when the client disconnects", async () => {
    const idle = proxy.connections();
    const readers = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const { body } = await fetch(`${server.url}/api/hosting/large.bin`);
        const reader = body?.getReader();
        await reader?.read();
        return reader;
      }),
    );
    expect(proxy.connections()).toBeGreaterThan(0);
    for (const reader of readers) await reader?.cancel();
    await eventually("the S3 connection is closed", () => proxy.connections() <= idle);
  });

  test("is 404 and logged as damage if the object is missing", async () => {
    const file = await api(server).put("gone.txt");
    const before = (await keysIn(settings)).length;
    const client = createS3Client(settings);
    const keys = (await keysIn(settings)).filter((key) => key.startsWith("blobs/"));
    for (const key of keys) await client.send({ method: "DELETE", key });
    expect(before).toBeGreaterThan(keys.length);
    expect((await send(server, "GET", "/api/hosting/gone.txt")).status).toBe(404);
    expect((await send(server, "HEAD", "/api/hosting/gone.txt")).status).toBe(404);
    await eventually("it is in the log", () => server.output().includes("damage"));
    expect((await api(server).json("DELETE", "/api/files", { id: file.id })).status).toBe(200);
  });
});
