import { describe, expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { freePort } from "../../../test/free-port.fixture.ts";
import { startServer } from "../../../test/harness.ts";
import { Holdall, HoldallError, uploadTo } from "../holdall.ts";
import {
  failureOf,
  faultyClient,
  MEGABYTE,
  memoryStore,
  randomBytes,
  startUploadServer,
  useLocalFolder,
  writeLocal,
} from "./upload-test-setup.fixture.ts";

const { server, holdall, freshFolder } = await startUploadServer("resumable");
const local = useLocalFolder();

const localFile = (name: string, content: Uint8Array): string => writeLocal(local(), name, content);

async function storedBytes(client: Holdall, id: string): Promise<Uint8Array> {
  return (await client.files.download(id)).response.bytes();
}

describe("a large file", () => {
  test("goes over several requests, and a small one over one", async () => {
    const { client, heads, offsets, close } = await faultyClient(server, () => undefined);
    const content = randomBytes(3 * MEGABYTE);
    const options = { folder: freshFolder(), resumableAbove: MEGABYTE, chunkSize: MEGABYTE };
    const large = await client.files.upload(content, { ...options, name: "large.bin" });
    expect(large).toMatchObject({ key: `${options.folder}/large.bin`, size: content.length });
    expect(await holdall.files.get(large.id)).toEqual(large);
    expect(offsets()).toEqual([0, MEGABYTE, 2 * MEGABYTE]);
    expect(await storedBytes(holdall, large.id)).toEqual(content);
    heads.length = 0;
    await client.files.upload(new Uint8Array(MEGABYTE), { ...options, name: "small.bin" });
    expect(heads).toHaveLength(1);
    await close();
  });

  test("is read from the disk, keeps all options and reports progress", async () => {
    const content = randomBytes(2 * MEGABYTE + 5);
    const progress: number[] = [];
    const file = await holdall.files.upload(
      { path: localFile('größe "1".bin', content) },
      {
        folder: freshFolder(),
        visibility: "private",
        resumableAbove: 0,
        chunkSize: MEGABYTE,
        type: "application/x-own",
        name: 'größe "1".unknown',
        metadata: { "x-camera": "M10" },
        onProgress: ({ loaded, total }) => {
          expect(total).toBe(content.length);
          progress.push(loaded);
        },
      },
    );
    expect(file).toMatchObject({
      name: 'größe "1".unknown',
      visibility: "private",
      mimeType: "application/x-own",
    });
    expect(await holdall.files.metadata(file)).toEqual({ "x-camera": "M10" });
    expect(await storedBytes(holdall, file.id)).toEqual(content);
    expect(progress.at(-1)).toBe(content.length);
    expect(progress.length).toBeGreaterThan(8);
    expect(progress.toSorted((one, other) => one - other)).toEqual(progress);
  });

  test.each(["cut request", "reset before", "reset after", "500 instead", "500 after"] as const)(
    "survives every second request with %s, and sends no stored byte again",
    async (fault) => {
      const { client, heads, offsets, close } = await faultyClient(server, (head, nth) =>
        head.startsWith("PATCH") && nth % 2 === 1 ? fault : undefined,
      );
      const content = randomBytes(4 * MEGABYTE);
      const file = await client.files.upload(
        { path: localFile("a.bin", content) },
        {
          folder: freshFolder(),
          resumableAbove: 0,
          chunkSize: MEGABYTE,
        },
      );
      await close();
      expect(await storedBytes(holdall, file.id)).toEqual(content);
      expect(heads.some((head) => head.startsWith("HEAD"))).toBe(true);
      expect(offsets().toSorted((one, other) => one - other)).toEqual(offsets());
    },
  );

  test.each(["reset after", "500 after", "500 instead"] as const)(
    "is created although the first response is lost: %s",
    async (fault) => {
      const { client, close } = await faultyClient(server, (head, nth) =>
        head.startsWith("POST") && nth === 1 ? fault : undefined,
      );
      const options = { folder: freshFolder(), name: "a.bin", resumableAbove: 0 };
      const file = await client.files.upload(randomBytes(1000), options);
      await close();
      expect(file.size).toBe(1000);
    },
  );

  test("is returned although the server is away right after the last byte", async () => {
    let gets = 0;
    const { client, close } = await faultyClient(server, (head) => {
      if (!head.startsWith("GET")) return undefined;
      gets += 1;
      return gets <= 4 ? "reset before" : undefined;
    });
    const call = { name: "a.bin", folder: freshFolder(), resumableAbove: 0 };
    expect((await client.files.upload(randomBytes(10), call)).size).toBe(10);
    await close();
  });

  test("survives a restart of the server", async () => {
    const own = await startServer({ PORT: String(await freePort()) });
    const client = new Holdall({ url: own.url, apiKey: own.apiKey });
    const content = randomBytes(8 * MEGABYTE);
    let restarted: Promise<void> | undefined;
    const file = await client.files.upload(content, {
      name: "a.bin",
      resumableAbove: 0,
      chunkSize: MEGABYTE,
      onProgress: ({ loaded }) => {
        if (loaded > 3 * MEGABYTE) restarted ??= own.kill().then(() => own.restart());
      },
    });
    await restarted;
    expect(await storedBytes(client, file.id)).toEqual(content);
    await own.discard();
  });

  test("fails as a form would: taken names, wrong digests, too large", async () => {
    const folder = freshFolder();
    const options = { folder, name: "a.bin", resumableAbove: 0 } as const;
    const content = randomBytes(1000);
    await holdall.files.upload(content, options);
    const taken = await failureOf(holdall.files.upload(content, options));
    expect(taken).toBeInstanceOf(HoldallError);
    expect(taken).toMatchObject({ status: 409 });
    const wrong = { ...options, name: "b.bin", sha256: "0".repeat(64) };
    expect(await failureOf(holdall.files.upload(content, wrong))).toMatchObject({ status: 400 });
    const other = await holdall.files.upload(content, { ...options, onConflict: "keepBoth" });
    expect(other.name).toBe("a (2).bin");
    const sums = { ...options, name: "SHA256SUMS" };
    await holdall.files.upload(content, sums);
    expect(await failureOf(holdall.files.upload(content, sums))).toMatchObject({ status: 409 });
    expect(await failureOf(holdall.files.getByKey(`${folder}/b.bin`))).toMatchObject({
      status: 404,
    });
  });
});

test.each([
  ["small", {}],
  ["large", { resumableAbove: 0 }],
])("a %s file that is skipped is undefined, and stores nothing", async (_, how) => {
  const folder = freshFolder();
  const options = { folder, name: "a.bin", onConflict: "skip", ...how } as const;
  const first = await holdall.files.upload(randomBytes(1000), options);
  expect(first?.key).toBe(`${folder}/a.bin`);
  expect(await holdall.files.upload(randomBytes(2000), options)).toBeUndefined();
  const { files } = await holdall.folders.browse({ key: folder });
  expect(files).toMatchObject([{ id: first?.id ?? "", size: 1000 }]);
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
  "rejects a chunkSize of %d before it sends anything",
  async (chunkSize) => {
    const { client, heads, close } = await faultyClient(server, () => undefined);
    const url = `${server.url}/api/uploads/x`;
    const files = [{ path: "a.bin", content: new Blob(["x"]) }];
    for (const call of [
      client.files.upload(randomBytes(1000), { name: "a.bin", chunkSize }),
      client.files.upload(randomBytes(1000), { name: "a.bin", chunkSize, resumableAbove: 0 }),
      client.files.uploadFolder(files, { folder: "a", chunkSize }),
      uploadTo(url, randomBytes(1000), { chunkSize }),
    ]) {
      const failure = await failureOf(call);
      expect(failure).toBeInstanceOf(RangeError);
      expect(`${failure}`).toContain(`whole number of bytes, at least 1, but is ${chunkSize}`);
    }
    await close();
    expect(heads).toEqual([]);
  },
);

describe("with a store", () => {
  const options = { resumableAbove: 0, chunkSize: MEGABYTE };

  test("continues after an abort where it ended", async () => {
    const resume = memoryStore();
    const { client, offsets, close } = await faultyClient(server, () => undefined);
    const content = randomBytes(5 * MEGABYTE);
    const path = localFile("a.bin", content);
    const folder = freshFolder();
    const abort = new AbortController();
    const reason = new Error("paused");
    const paused = await failureOf(
      client.files.upload(
        { path },
        {
          ...options,
          folder,
          resume,
          signal: abort.signal,
          onProgress: ({ loaded }) => {
            if (loaded > 2.5 * MEGABYTE) abort.abort(reason);
          },
        },
      ),
    );
    expect(paused).toBe(reason);
    expect(resume.notes.size).toBe(1);
    expect(offsets()).toEqual([0, MEGABYTE, 2 * MEGABYTE]);
    const first: number[] = [];
    const file = await client.files.upload(
      { path },
      {
        ...options,
        folder,
        resume,
        onProgress: ({ loaded }) => first.push(loaded),
      },
    );
    await close();
    expect(first[0]).toBeGreaterThanOrEqual(2 * MEGABYTE);
    expect(Math.min(...offsets().slice(3))).toBeGreaterThanOrEqual(2 * MEGABYTE);
    expect(resume.notes.size).toBe(0);
    expect(await storedBytes(holdall, file.id)).toEqual(content);
  });

  test("starts again when the file has changed, or the noted upload has ended", async () => {
    const resume = memoryStore();
    const path = localFile("a.bin", randomBytes(3 * MEGABYTE));
    const folder = freshFolder();
    const pause = async (): Promise<void> => {
      const abort = new AbortController();
      const onProgress = ({ loaded }: { loaded: number }): void => {
        if (loaded > 1.5 * MEGABYTE) abort.abort();
      };
      const call = { ...options, folder, resume, signal: abort.signal, onProgress };
      await failureOf(holdall.files.upload({ path }, call));
    };
    await pause();
    appendFileSync(path, "more");
    await pause();
    expect(resume.notes.size).toBe(2);
    for (const note of resume.notes.values()) await holdall.uploads.cancel(JSON.parse(note).url);
    const file = await holdall.files.upload({ path }, { ...options, folder, resume });
    expect(file.size).toBe(3 * MEGABYTE + 4);
    expect(resume.notes.size).toBe(1);
  });

  test("a store that fails does not stop the upload", async () => {
    const broken = (): never => {
      throw new Error("QuotaExceededError");
    };
    const resume = { getItem: broken, setItem: broken, removeItem: broken };
    const path = localFile("a.bin", randomBytes(1000));
    const file = await holdall.files.upload(
      { path },
      { ...options, folder: freshFolder(), resume },
    );
    expect(file.size).toBe(1000);
  });
});

test("without a store, an aborted upload leaves nothing on the server", async () => {
  const { client, heads, close } = await faultyClient(server, () => undefined);
  const abort = new AbortController();
  const aborted = await failureOf(
    client.files.upload(randomBytes(3 * MEGABYTE), {
      name: "a.bin",
      folder: freshFolder(),
      resumableAbove: 0,
      chunkSize: MEGABYTE,
      signal: abort.signal,
      onProgress: ({ loaded }) => {
        if (loaded > 1.5 * MEGABYTE) abort.abort();
      },
    }),
  );
  expect(aborted).toMatchObject({ name: "AbortError" });
  await close();
  const path = /^DELETE (\S+)/.exec(heads.at(-1) ?? "")?.[1];
  expect(await failureOf(holdall.uploads.state(`${path}`))).toMatchObject({ status: 404 });
});

test("a file that changes while it is uploaded is an error, and nothing is stored", async () => {
  const path = localFile("a.bin", randomBytes(4 * MEGABYTE));
  const folder = freshFolder();
  let hasChanged = false;
  const failure = await failureOf(
    holdall.files.upload(
      { path },
      {
        folder,
        resumableAbove: 0,
        chunkSize: MEGABYTE,
        onProgress: ({ loaded }) => {
          if (loaded < MEGABYTE || hasChanged) return;
          hasChanged = true;
          appendFileSync(path, "more");
        },
      },
    ),
  );
  expect(failure).toMatchObject({ status: 400, message: expect.stringContaining("has changed") });
  expect(await failureOf(holdall.files.getByKey(`${folder}/a.bin`))).toMatchObject({ status: 404 });
});

test("gives up after the attempts without progress, with the last error", async () => {
  const { client, heads, close } = await faultyClient(server, (head) =>
    head.startsWith("PATCH") ? "500 instead" : undefined,
  );
  const call = { name: "a.bin", folder: freshFolder(), resumableAbove: 0, attempts: 3 };
  expect(await failureOf(client.files.upload(randomBytes(10), call))).toMatchObject({
    status: 500,
  });
  expect(heads.filter((head) => head.startsWith("PATCH"))).toHaveLength(3);
  await close();
});
