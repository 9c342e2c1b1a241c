import { describe, expect, test } from "bun:test";
import { hasS3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { api, send } from "./client.ts";
import { eachWorker } from "./each-worker.ts";
import { eventually } from "./expectations.ts";
import { countLines, untilReady, useFreezableStore } from "./frozen.fixture.ts";
import { startServer } from "./harness.ts";
import { filePart } from "./multipart.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";
import { isOnDisk } from "./test-stores.ts";

/** How long a change waits for a worker before it counts as frozen. */
const PING_TIMEOUT_MS = 2000;
const noLinux = isMissing("Linux", process.platform === "linux");

describe.skipIf(!hasS3Server)("while the S3 store is frozen", () => {
  const store = useFreezableStore();

  test("an upload whose client sends slowly is stored", async () => {
    const { server, freeze, thaw } = store();
    await api(server).put("before.txt");
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        const text = new TextEncoder();
        controller.enqueue(text.encode(`--b\r\n${HEAD}\r\n\r\nslow`));
        // Until the server has received it.
        await Bun.sleep(1000);
        freeze();
        await api(server).upload([filePart("refused.txt", "x")]);
        thaw();
        await untilReady(server);
        controller.enqueue(text.encode("ly\r\n--b--\r\n"));
        controller.close();
      },
    });
    const answer = await fetch(`${server.url}/api/files`, {
      method: "POST",
      headers: { "API-Key": server.apiKey, "Content-Type": "multipart/form-data; boundary=b" },
      body,
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
    expect((await send(server, "GET", "/api/hosting/slow.txt")).text).toBe("slowly");
  });
});

const HEAD = 'Content-Disposition: form-data; name="files"; filename="slow.txt"';

// With PostgreSQL, a change of the settings waits for the caches of unknown servers.
describe.skipIf(noLinux || !isOnDisk)("a frozen worker", () => {
  test("does not delay changes of the settings, and applies them when it continues", async () => {
    const server = await startServer({ WORKERS: "3" });
    const endpoints = await eachWorker(server);
    const [frozen, other] = endpoints;
    if (frozen === undefined || other === undefined) throw new Error("Too few workers");
    // Keeps its connection: the kernel could give a new one to the frozen worker.
    const change = async (value: number): Promise<void> => {
      const { status } = await fetch(`${other.url}/api/settings`, {
        method: "PUT",
        headers: { "API-Key": server.apiKey, "Content-Type": "application/json" },
        body: JSON.stringify({ maxDeleteBatch: value }),
      });
      expect(status).toBe(200);
    };
    await change(4);
    process.kill(frozen.pid, "SIGSTOP");
    try {
      await change(5); // The first change finds out, those that follow know.
      const from = performance.now();
      for (const value of Array.from({ length: 20 }, (_, n) => 6 + n)) await change(value);
      // Far less than if each waited for the frozen one.
      expect(performance.now() - from).toBeLessThan(5 * PING_TIMEOUT_MS);
    } finally {
      process.kill(frozen.pid, "SIGCONT");
    }
    await eventually("the worker has the setting", async () => {
      return /"maxDeleteBatch":\{"value":25,/.test((await api(frozen).get("/api/settings")).text);
    });
    expect(countLines(server, "A worker does not respond")).toBe(1);
    await eventually("the log says so", () => countLines(server, "A worker responds again") === 1);
    for (const endpoint of endpoints) endpoint.close();
    await server.discard();
  });
});
