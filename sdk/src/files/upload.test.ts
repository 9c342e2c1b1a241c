import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import { join } from "node:path";
import {
  removeFolder,
  startServer,
  type TestServer,
  temporaryFolder,
} from "../../../test/harness.ts";
import { Holdall, HoldallError, file as localFile, type Progress } from "../holdall.ts";

const MEGABYTE = 2 ** 20;

let server: TestServer;
let holdall: Holdall;
const folder = temporaryFolder();

beforeAll(async () => {
  server = await startServer({ MAX_UPLOAD_SIZE: String(64 * MEGABYTE) });
  holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
});
afterAll(async () => {
  removeFolder(folder);
  await server.discard();
});

const content = async (id: string) => (await holdall.files.download(id)).response.bytes();

async function failure(promise: Promise<unknown>): Promise<HoldallError> {
  const error = await promise.catch((reason: unknown) => reason);
  if (error instanceof HoldallError) return error;
  throw new Error(`Not a HoldallError: ${String(error)}`);
}

/** `count` chunks, generated on demand. */
function chunks(count: number, size: number, onPull = () => {}): ReadableStream<Uint8Array> {
  let made = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      onPull();
      if (made < count) controller.enqueue(new Uint8Array(size).fill(made % 251));
      else controller.close();
      made += 1;
    },
  });
}

describe("uploads", () => {
  const bytes = new TextEncoder().encode("some bytes");

  test("bytes, blobs and files", async () => {
    const plain = await holdall.files.upload(bytes, { name: "bytes" });
    expect(plain.mimeType).toBe("application/octet-stream");
    expect(await content(plain.id)).toEqual(bytes);
    const blob = await holdall.files.upload(new Blob([bytes], { type: "x/y" }), { name: "blob" });
    expect(blob.mimeType).toBe("x/y");
    const named = await holdall.files.upload(new File([bytes], "file.png"));
    expect(named).toMatchObject({ name: "file.png", mimeType: "image/png" });
    const renamed = await holdall.files.upload(new File([bytes], "file.png"), {
      name: "other",
      type: "a/b",
    });
    expect(renamed).toMatchObject({ name: "other", mimeType: "a/b" });
  });

  test("streams, with and without a size", async () => {
    const unknown = await holdall.files.upload(chunks(3, 1_000), { name: "unknown" });
    expect(unknown.size).toBe(3_000);
    const known = await holdall.files.upload(chunks(3, 1_000), { name: "known", size: 3_000 });
    expect(known.size).toBe(3_000);
  });

  test("paths", async () => {
    const path = join(folder, "päth.txt");
    await Bun.write(path, bytes);
    const file = await holdall.files.upload(localFile(path), { folder: "paths" });
    expect(file).toMatchObject({ name: "päth.txt", key: "paths/päth.txt" });
    expect(await content(file.id)).toEqual(bytes);
    expect(
      (await failure(holdall.files.upload(localFile(join(folder, "none"))))).message,
    ).toContain("cannot be read");
    expect((await failure(holdall.files.upload(localFile(folder)))).message).toContain(
      "is not a file",
    );
  });

  test("no strings: the message names `file`", async () => {
    // @ts-expect-error: a string may be a path or text.
    const wrong = holdall.files.upload(join(folder, "päth.txt"), { name: "wrong.txt" });
    expect(await wrong.catch((error: unknown) => error)).toBeInstanceOf(TypeError);
    await expect(wrong).rejects.toThrow('`file("path")`');
    expect(await holdall.files.exists("wrong.txt")).toBe(false);
  });

  test("several files at once, or none of them", async () => {
    const path = join(folder, "third.txt");
    await Bun.write(path, "3");
    const many = [
      new File(["1"], "first.txt"),
      { content: bytes, name: "second.txt" },
      localFile(path),
    ];
    const files = await holdall.files.uploadMany(many, { folder: "many", visibility: "private" });
    expect(files.map(({ name }) => name)).toEqual(["first.txt", "second.txt", "third.txt"]);
    expect(new Set(files.map(({ visibility }) => visibility))).toEqual(new Set(["private"]));
    const clash = await failure(
      holdall.files.uploadMany([new File(["4"], "fourth.txt"), localFile(path)], {
        folder: "many",
      }),
    );
    expect(clash.status).toBe(409);
    expect((await holdall.folders.browse({ key: "many" })).files).toHaveLength(3);
  });

  test.each([
    'quo"te.txt',
    "back%22.txt",
    "ünïcode 日本 😀.txt",
    "semi;colon=.txt",
    "(paren)'*!.txt",
  ])("with the exact name %s", async (name) => {
    const file = await holdall.files.upload(bytes, { name, folder: "names" });
    expect(file.name).toBe(name);
    expect(await (await fetch(holdall.url(file))).bytes()).toEqual(bytes);
  });

  test("nothing without a name or with an invalid name", async () => {
    expect((await failure(holdall.files.upload(bytes))).message).toContain("`name`");
    expect((await failure(holdall.files.upload(bytes, { name: "a/b" }))).status).toBe(400);
    expect((await failure(holdall.files.upload(bytes, { name: "\ud800" }))).status).toBe(400);
    expect((await failure(holdall.files.upload(bytes, { name: "a\r\nb" }))).status).toBe(400);
  });
});

describe("an upload", () => {
  test("reports its progress", async () => {
    const reports: Progress[] = [];
    await holdall.files.upload(chunks(10, 100_000), {
      name: "progress",
      size: 1_000_000,
      onProgress: (progress) => reports.push(progress),
    });
    expect(reports.length).toBeGreaterThan(1);
    expect(reports.map(({ loaded }) => loaded)).toEqual(
      reports.map((_, index) => (index + 1) * 100_000),
    );
    expect(new Set(reports.map(({ total }) => total))).toEqual(new Set([1_000_000]));
  });

  test("reads its source no faster than it is sent", async () => {
    // Accepts the connection and never reads from it.
    const silentServer = createServer({ pauseOnConnect: true }, (socket) =>
      socket.on("error", () => {}),
    );
    await new Promise<void>((resolve) => silentServer.listen(0, "127.0.0.1", resolve));
    const address = silentServer.address();
    const port = typeof address === "object" ? address?.port : undefined;
    let pulled = 0;
    const source = chunks(200, MEGABYTE, () => {
      pulled += 1;
    });
    const control = new AbortController();
    const call = new Holdall({ url: `http://127.0.0.1:${port}` }).files.upload(source, {
      name: "large",
      signal: control.signal,
    });
    // Time to read more than the server takes.
    await Bun.sleep(500);
    expect(pulled).toBeWithin(1, 32);
    control.abort("enough");
    expect(await call.catch((reason: unknown) => reason)).toBe("enough");
    silentServer.close();
  });

  test("that is too large fails with the server's status", async () => {
    const error = await failure(
      holdall.files.upload(chunks(70, MEGABYTE), { name: "huge", size: 70 * MEGABYTE }),
    );
    expect(error.status).toBe(413);
  });

  test("whose source fails rejects with the source's error and stores nothing", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(10));
        controller.error(new Error("read failed"));
      },
    });
    await expect(holdall.files.upload(broken, { name: "broken" })).rejects.toThrow("read failed");
    const short = await failure(holdall.files.upload(chunks(1, 10), { name: "short", size: 20 }));
    expect(short.message).toContain("20 bytes");
    expect(await holdall.files.named("broken")).toEqual([]);
    expect(await holdall.files.named("short")).toEqual([]);
  });

  test("rejects with its signal's reason", async () => {
    const control = new AbortController();
    const slow = chunks(1_000, 10, () => {
      setTimeout(() => control.abort("enough"), 20);
    });
    const endless = slow.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        async transform(chunk, controller) {
          // Takes longer in all than until the signal.
          await Bun.sleep(5);
          controller.enqueue(chunk);
        },
      }),
    );
    const call = holdall.files.upload(endless, { name: "ended", signal: control.signal });
    expect(await call.catch((reason: unknown) => reason)).toBe("enough");
    expect(await holdall.files.named("ended")).toEqual([]);
    const late = holdall.files.upload(new Uint8Array(1), { name: "late", signal: control.signal });
    expect(await late.catch((reason: unknown) => reason)).toBe("enough");
  });
});
