import { afterAll, describe, expect, test } from "bun:test";
import { send, unique } from "./client.ts";
import { eventually, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { isOnS3 } from "./test-stores.ts";
import {
  append,
  base64,
  beginAppend,
  createUpload,
  noise,
  offsetOf,
  sha256,
  untilFree,
} from "./upload-url.ts";

const server = await startServer({ MAX_UPLOAD_SIZE: "50mb" });
afterAll(() => server.discard());

const hosted = (key: string) => send(server, "GET", `/api/hosting/${key}`);

describe("a broken connection", () => {
  const bytes = noise(3_000_000);

  test("keeps the bytes that have arrived", async () => {
    const folder = unique("cut");
    const path = await createUpload(server, { folder, size: bytes.length });
    const parts = [1, 100_000, 1_234_567];
    let offset = 0;
    for (const size of parts) {
      const connection = await beginAppend(server, path, {
        offset,
        length: bytes.length - offset,
        bytes: bytes.subarray(offset, offset + size),
      });
      const before = offset;
      const isStored = async () => (await offsetOf(server, path)) === before + size;
      // S3 only stores whole parts in the middle of a request.
      if (isOnS3) await Bun.sleep(500);
      else await eventually("the bytes are stored while the request goes on", isStored);
      connection.socket.resetAndDestroy();
      await untilFree(server, path);
      const hasMore = async () => (await offsetOf(server, path)) > before;
      await eventually("the bytes are stored", hasMore);
      offset = await offsetOf(server, path);
      expect(offset).toBeLessThanOrEqual(before + size);
    }
    const done = await append(server, path, offset, bytes.subarray(offset));
    expect(done.header("upload-complete")).toBe("?1");
    const whole = await hosted(`${folder}/file.bin`);
    expect(sha256(whole.bytes)).toBe(sha256(bytes));
    expect(done.header("repr-digest")).toContain(
      Buffer.from(sha256(bytes), "hex").toString("base64"),
    );
  });

  test("drops them if they have a checksum", async () => {
    const path = await createUpload(server, { size: 1000 });
    await append(server, path, 0, "12345");
    const connection = await beginAppend(
      server,
      path,
      { offset: 5, length: 995, bytes: noise(500) },
      { "Upload-Checksum": `sha1 ${base64(noise(20))}` },
    );
    // Nothing shows that the request has begun: bytes with a checksum are stored at its end.
    await Bun.sleep(50);
    connection.socket.resetAndDestroy();
    await untilFree(server, path);
    expect(await offsetOf(server, path)).toBe(5);
    expect((await append(server, path, 5, noise(995))).header("upload-complete")).toBe("?1");
  });
});

test("a second writer gets 423 once, and the first is stopped", async () => {
  const path = await createUpload(server, { size: 100 });
  const first = await beginAppend(server, path, { offset: 0, length: 100, bytes: noise(40) });
  // S3 only stores whole parts in the middle of a request.
  if (isOnS3) await Bun.sleep(1000);
  else await eventually("the first writes", async () => (await offsetOf(server, path)) === 40);
  const answer = await append(server, path, 0, noise(100));
  expectFault(answer, 423);
  expect(answer.header("retry-after")).toBe("1");
  expect((await first.answer()).status).toBe(423);
  expect(await offsetOf(server, path)).toBe(40);
  expect((await append(server, path, 40, noise(60))).header("upload-complete")).toBe("?1");
});
