import { afterAll, describe, expect, test } from "bun:test";
import { send, unique } from "./client.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { startServer } from "./harness.ts";
import { uploadWithTus } from "./tus-client.ts";
import { createUpload, noise, offsetOf, sha256, stateOf } from "./upload-url.ts";

const server = await startServer();
afterAll(() => server.discard());
const bytes = noise(3_000_001);

async function expectStored(folder: string, filename: string): Promise<void> {
  const answer = await send(server, "GET", `/api/hosting/${folder}/${filename}`);
  expect(answer.status).toBe(200);
  expect(sha256(answer.bytes)).toBe(sha256(bytes));
}

describe("tus-js-client", () => {
  test.each([
    ["in one request", {}],
    ["in chunks", { chunkSize: 500_000 }],
    [
      "with the first bytes in the creation",
      { chunkSize: 700_000, uploadDataDuringCreation: true },
    ],
    ["without PATCH", { chunkSize: 1_000_000, overridePatchMethod: true }],
    ["with a length that is known later", { chunkSize: 900_000, uploadLengthDeferred: true }],
  ])("uploads %s", async (_, options) => {
    const folder = unique("tus");
    const { upload, done } = uploadWithTus(server, bytes, {
      folder,
      filename: "Größe.bin",
      ...options,
    });
    upload.start();
    await done;
    await expectStored(folder, encodeURIComponent("Größe.bin"));
  });

  test("uploads to an upload URL without a key", async () => {
    const folder = unique("url");
    const path = await createUpload(server, { folder, name: "a.bin", size: bytes.length });
    const { upload, done } = uploadWithTus(server, bytes, {
      folder,
      filename: "other",
      headers: {},
      uploadUrl: server.url + path,
    });
    upload.start();
    expect(await done).toBe(path);
    await expectStored(folder, "a.bin");
  });

  test("pauses and resumes", async () => {
    const folder = unique("paused");
    let chunks = 0;
    const paused = Promise.withResolvers<void>();
    const { upload, done } = uploadWithTus(server, bytes, {
      folder,
      filename: "a.bin",
      chunkSize: 400_000,
      onChunkComplete: () => {
        chunks += 1;
        if (chunks === 3) void upload.abort().then(() => paused.resolve());
      },
    });
    upload.start();
    await paused.promise;
    const path = new URL(upload.url ?? "").pathname;
    expect(await offsetOf(server, path)).toBeGreaterThanOrEqual(1_200_000);
    upload.start();
    await done;
    await expectStored(folder, "a.bin");
  });

  test("resumes after connections that break at any place", async () => {
    const folder = unique("broken");
    let patches = 0;
    const proxy = await startFaultProxy(server.url, (head) => {
      if (!head.startsWith("PATCH")) return undefined;
      patches += 1;
      if (patches % 3 === 0) return "reset after";
      return patches % 3 === 1 ? "reset before" : undefined;
    });
    try {
      const { upload, done } = uploadWithTus({ url: proxy.url, apiKey: server.apiKey }, bytes, {
        folder,
        filename: "a.bin",
        chunkSize: 300_000,
      });
      upload.start();
      await done;
      await expectStored(folder, "a.bin");
      expect(patches).toBeGreaterThan(10);
    } finally {
      await proxy.close();
    }
  });

  test("resumes after the server was killed, and every offset that it has confirmed stays", async () => {
    const folder = unique("killed");
    let confirmed = 0;
    let kills = 0;
    const { upload, done } = uploadWithTus(server, bytes, {
      folder,
      filename: "a.bin",
      chunkSize: 250_000,
      onChunkComplete: (_, accepted) => {
        confirmed = accepted;
        if (accepted < 600_000 * (kills + 1) || kills === 3) return;
        kills += 1;
        const path = new URL(upload.url ?? "").pathname;
        void upload.abort().then(async () => {
          await server.kill();
          await server.restart();
          expect(await offsetOf(server, path)).toBeGreaterThanOrEqual(confirmed);
          upload.url = server.url + path;
          upload.start();
        });
      },
    });
    upload.start();
    const path = await done;
    expect(kills).toBe(3);
    await expectStored(folder, "a.bin");
    expect((await stateOf(server, path)).header("upload-complete")).toBe("?1");
  });

  test("cancels", async () => {
    const { upload } = uploadWithTus(server, bytes, {
      folder: unique("cancel"),
      filename: "a.bin",
      chunkSize: 400_000,
      onChunkComplete: () => void upload.abort(true),
    });
    const gone = Promise.withResolvers<void>();
    upload.options.onAfterResponse = (request) => {
      if (request.getMethod() === "DELETE") gone.resolve();
    };
    upload.start();
    await gone.promise;
    const path = new URL(upload.url ?? "").pathname;
    expect((await stateOf(server, path)).status).toBe(404);
  });
});
