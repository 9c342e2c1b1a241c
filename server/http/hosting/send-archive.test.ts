import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { connect } from "node:net";
import type { Blobs } from "../../blobs/port.ts";
import { AUTHORIZED_COMMAND } from "../../domain/callers/authorize.ts";
import { parseKey } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import { until } from "../../files/files.fixture.ts";
import {
  chunksOf,
  openUploadFixture,
  type UploadFixture,
} from "../../files/upload/upload.fixture.ts";
import { type Archive, createArchives } from "../../files/zip/archive.ts";
import { createMemoryBudget } from "../../lib/memory-budget.ts";
import { createSendArchive } from "./send-archive.ts";

const memory = createMemoryBudget(64 * 1024 * 1024);
/** More than the buffers between server and client take. */
const COPIES = 60;

let uploads: UploadFixture;
let large: FileRecord;
let small: FileRecord;
let errors: unknown[] = [];
let pending = 0;
let sent = 0;

beforeAll(async () => {
  uploads = await openUploadFixture();
  const bytes = new Uint8Array(299_000).fill(7);
  const stored = await uploads.upload(
    { "large.bin": chunksOf(bytes), "small.txt": "content" },
    { folder: parseKey("files") },
  );
  const [first, second] = stored;
  if (first === undefined || second === undefined) throw new Error("Nothing was stored");
  [large, small] = [first, second];
  for (let copy = 0; copy < COPIES; copy += 1) {
    await uploads.upload({ "large.bin": chunksOf(bytes) }, { folder: parseKey(`many/${copy}`) });
  }
});
afterAll(() => uploads.end());
beforeEach(() => {
  errors = [];
  pending = 0;
  sent = 0;
});
afterEach(() => expect(memory.reserved()).toBe(0));

const archives = (blobs: Blobs = uploads.fixture.blobs) =>
  createArchives({ ...uploads.fixture, blobs, memory, onDamage: () => {} });
const manyFiles = () => archives().folder(AUTHORIZED_COMMAND, { key: "many" });
const oneFile = (file: FileRecord) =>
  archives().selection(AUTHORIZED_COMMAND, { ids: [file.id], folderIds: [] });

const send = createSendArchive({
  onError: (error) => errors.push(error),
  onSend: (bytes) => {
    sent += bytes;
  },
  pendingRequests: () => pending,
});

/** Serves what `make` returns, and gives its URL to `use`. */
async function served(
  make: (request: Request) => Promise<Archive>,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => send(await make(request), request),
    error(error) {
      errors.push(error);
      return new Response(null, { status: 500 });
    },
  });
  try {
    await use(`http://127.0.0.1:${server.port}/`);
    await until(() => memory.reserved() === 0);
  } finally {
    await server.stop(true);
  }
}

const isReserved = () => expect(memory.reserved()).toBeGreaterThan(0);

test("the memory is returned when the client has the whole archive", async () => {
  await served(manyFiles, async (url) => {
    const response = await fetch(url);
    const bytes = await response.bytes();
    expect(bytes.length).toBe(Number(response.headers.get("x-archive-size")));
    expect(sent).toBe(bytes.length);
  });
});

test("the memory is returned when the archive is buffered, and with HEAD", async () => {
  for (const method of ["GET", "HEAD"]) {
    await served(
      () => oneFile(small),
      async (url) => {
        const response = await fetch(url, { method });
        expect(response.headers.get("content-length")).toBe(response.headers.get("x-archive-size"));
        await response.bytes();
      },
    );
  }
});

test("short archives are streamed while very many requests are pending", async () => {
  pending = 1000;
  await served(
    () => oneFile(large),
    async (url) => {
      const response = await fetch(url);
      expect(response.headers.get("content-length")).toBeNull();
      const size = Number(response.headers.get("x-archive-size"));
      expect((await response.bytes()).length).toBe(size);
    },
  );
});

test("the memory is returned when the client leaves in the middle", async () => {
  await served(manyFiles, async (url) => {
    const leave = new AbortController();
    const response = await fetch(url, { signal: leave.signal });
    await response.body?.getReader().read();
    isReserved();
    leave.abort();
    await until(() => memory.reserved() === 0);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(Number(response.headers.get("x-archive-size")));
  });
});

test("the memory is returned when the client leaves before the archive is planned", async () => {
  const arrived = Promise.withResolvers<void>();
  await served(
    async (request) => {
      const archive = await manyFiles();
      const left = new Promise((resolve) => request.signal.addEventListener("abort", resolve));
      arrived.resolve();
      await left;
      isReserved();
      return archive;
    },
    async (url) => {
      const client = connect(Number(new URL(url).port), "127.0.0.1");
      client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await arrived.promise;
      client.destroy();
      await until(() => memory.reserved() === 0);
    },
  );
});

test("the memory is returned when the client leaves while a file is being read", async () => {
  const reads = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const blobs: Blobs = {
    ...uploads.fixture.blobs,
    async read(...args) {
      reads.resolve();
      await left.promise;
      return uploads.fixture.blobs.read(...args);
    },
  };
  await served(
    () => archives(blobs).folder(AUTHORIZED_COMMAND, { key: "many" }),
    async (url) => {
      const client = connect(Number(new URL(url).port), "127.0.0.1");
      client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await reads.promise;
      client.destroy();
      // The memory is not returned while the file is still being read.
      await Bun.sleep(50);
      isReserved();
      left.resolve();
    },
  );
});

test("the memory is returned when a file is missing, whether the archive is buffered or not", async () => {
  await uploads.fixture.blobs.remove([large.blobId]);
  for (const [requests, status] of [
    [0, 500],
    [1000, "broken"],
  ] as const) {
    pending = requests;
    await served(
      () => oneFile(large),
      async (url) => {
        const result = fetch(url).then(async (response) => {
          await response.bytes();
          return response.status;
        });
        expect(await result.catch(() => "broken")).toBe(status);
      },
    );
  }
  expect(errors.map(String)).toEqual([
    expect.stringContaining("missing"),
    expect.stringContaining("missing"),
  ]);
});
