import { afterAll, beforeAll, expect, test } from "bun:test";
import { HoldallError } from "../../sdk/src/connection/error.ts";
import { Holdall } from "../../sdk/src/holdall.ts";
import { startServer, type TestServer } from "../../test/harness.ts";
import { createUploadQueue, type UploadQueue, type UploadQueueOptions } from "./upload-queue.ts";

let server: TestServer;
let holdall: Holdall;

beforeAll(async () => {
  server = await startServer();
  holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
});
afterAll(() => server.discard());

const fileOf = (name: string, content = name, lastModified = 1) =>
  new File([content], name, { lastModified, type: "text/plain" });

function memoryStore() {
  const notes = new Map<string, string>();
  return {
    notes,
    getItem: (key: string) => notes.get(key),
    setItem: (key: string, value: string) => notes.set(key, value),
    removeItem: (key: string) => notes.delete(key),
  };
}

const request: UploadQueueOptions["request"] = async ({ path, size }) =>
  (await holdall.uploads.create({ name: path.split("/").at(-1), size, folder: "react" })).url;

function started(options: Partial<UploadQueueOptions> = {}): UploadQueue {
  const queue = createUploadQueue();
  queue.configure({ request, store: null, ...options });
  queue.start();
  return queue;
}

/** Resolves when the queue's state is as asked. */
function when(queue: UploadQueue, isSo: (state: ReturnType<UploadQueue["state"]>) => boolean) {
  return new Promise<void>((resolve) => {
    const check = () => {
      if (!isSo(queue.state())) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = queue.subscribe(check);
    check();
  });
}

const statuses = (queue: UploadQueue) => queue.state().items.map(({ status }) => status);

/** Upload URLs that are given when `letGo` is called; `began` resolves when the first is asked for. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const asked: string[] = [];
  const waiting: UploadQueueOptions["request"] = async (file, signal) => {
    asked.push(file.name);
    begun.resolve();
    await promise;
    signal.throwIfAborted();
    return request(file, signal);
  };
  return { request: waiting, letGo: resolve, began: begun.promise, asked };
}

test("sends a few files at once, in order, and tells how far they are", async () => {
  const { letGo, asked, request } = held();
  const done: string[] = [];
  const queue = started({ request, concurrency: 2, onComplete: ({ name }) => done.push(name) });
  await queue.add(["1.txt", "2.txt", "3.txt"].map((name) => fileOf(name)));
  await when(queue, ({ items }) => items.filter(({ status }) => status === "sending").length === 2);
  expect(statuses(queue)).toEqual(["sending", "sending", "waiting"]);
  expect(asked).toEqual(["1.txt", "2.txt"]);
  expect(queue.state().progress).toEqual({
    loaded: 0,
    total: 15,
    files: 3,
    complete: 0,
    failed: 0,
  });
  letGo();
  await when(queue, ({ progress }) => progress.complete === 3);
  expect(queue.state().progress).toEqual({
    loaded: 15,
    total: 15,
    files: 3,
    complete: 3,
    failed: 0,
  });
  expect(done.toSorted()).toEqual(["1.txt", "2.txt", "3.txt"]);
  expect(queue.state().items[2]?.stored?.key).toBe("react/3.txt");
  expect(await (await fetch(`${server.url}/api/hosting/react/3.txt`)).text()).toBe("3.txt");
  queue.clear();
  await when(queue, ({ items }) => items.length === 0);
});

test("a refused request fails one file, by its error, until it is tried again", async () => {
  let isRefused = true;
  const queue = started({
    request: (file, signal) => {
      if (file.name === "bad.txt" && isRefused) throw new Error("Not you.");
      return request(file, signal);
    },
  });
  await queue.add([fileOf("bad.txt"), fileOf("good.txt")]);
  await when(queue, ({ progress }) => progress.complete === 1 && progress.failed === 1);
  expect(queue.state().items[0]).toMatchObject({ status: "failed", error: new Error("Not you.") });
  // The progress leaves the failed file out, so it reaches its end.
  expect(queue.state().progress).toMatchObject({ loaded: 8, total: 8 });
  isRefused = false;
  queue.retry();
  await when(queue, ({ progress }) => progress.complete === 2);
  expect(queue.state().items[0]?.error).toBeUndefined();
});

test("a taken name has the server's code", async () => {
  const queue = started();
  await queue.add([fileOf("taken.txt")]);
  await when(queue, ({ progress }) => progress.complete === 1);
  await queue.add([fileOf("taken.txt", "other")]);
  await when(queue, ({ progress }) => progress.failed === 1);
  const error = queue.state().items[1]?.error;
  expect(error).toBeInstanceOf(HoldallError);
  expect(error).toMatchObject({ status: 422, code: "name_taken" });
});

test("pauses and continues at the same upload", async () => {
  const { letGo, began, request } = held();
  const queue = started({ request });
  await queue.add([fileOf("paused.txt")]);
  await began;
  queue.pause();
  await when(queue, () => statuses(queue)[0] === "paused");
  letGo();
  queue.resume();
  await when(queue, ({ progress }) => progress.complete === 1);
});

test("cancelled files leave the list, and their bytes the server", async () => {
  const urls: string[] = [];
  const queue = started({
    // Its file is larger than the upload, so it fails after its creation.
    request: async ({ name }) => {
      const { url } = await holdall.uploads.create({ name, size: 100, folder: "react" });
      urls.push(url);
      return url;
    },
  });
  await queue.add([fileOf("cancelled.txt")]);
  await when(queue, ({ progress }) => progress.failed === 1);
  queue.cancel();
  await when(queue, ({ items }) => items.length === 0);
  const [url = ""] = urls;
  for (;;) {
    const { status } = await fetch(url, { method: "HEAD", headers: { "Tus-Resumable": "1.0.0" } });
    if (status === 404) break;
    expect(status).toBeLessThan(300);
  }
});

test("a file that is cancelled while its URL is asked for leaves nothing behind", async () => {
  const store = memoryStore();
  const { promise: letGo, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const made = Promise.withResolvers<string>();
  const queue = started({
    store,
    // As one that does not look at its signal.
    request: async ({ name, size }) => {
      begun.resolve();
      await letGo;
      const { url } = await holdall.uploads.create({ name, size, folder: "react" });
      made.resolve(url);
      return url;
    },
  });
  await queue.add([fileOf("asked.txt")]);
  await begun.promise;
  queue.cancel();
  resolve();
  const url = await made.promise;
  for (let times = 0; ; times += 1) {
    const { status } = await fetch(url, { method: "HEAD", headers: { "Tus-Resumable": "1.0.0" } });
    if (status === 404) break;
    expect(times).toBeLessThan(50);
    await Bun.sleep(20);
  }
  expect([...store.notes.keys()]).toEqual([]);
});

test("continues a noted upload, and begins anew if it has ended", async () => {
  const store = memoryStore();
  let created = 0;
  const counted: UploadQueueOptions["request"] = (file, signal) => {
    created += 1;
    return request(file, signal);
  };
  // As a closed page leaves them.
  for (const name of ["again.txt", "gone.txt"]) {
    const { url } = await holdall.uploads.create({ name, size: name.length, folder: "react" });
    if (name === "gone.txt") await holdall.uploads.cancel(url);
    const key = `holdall-upload:${JSON.stringify(["album", name, name.length, 1])}`;
    store.setItem(key, JSON.stringify({ url, at: Date.now() }));
  }
  const queue = started({ store, request: counted, target: "album" });
  await queue.add([fileOf("again.txt"), fileOf("gone.txt")]);
  await when(queue, ({ progress }) => progress.complete === 2);
  expect(created).toBe(1);
  expect([...store.notes.keys()].filter((key) => key.includes("album"))).toEqual([]);
});

test("sends nothing before its start and after its end", async () => {
  const { letGo, began, asked, request } = held();
  const queue = createUploadQueue();
  queue.configure({ request, store: null });
  await queue.add([fileOf("later.txt")]);
  expect(asked).toEqual([]);
  const stop = queue.start();
  await began;
  stop();
  letGo();
  await when(queue, () => statuses(queue)[0] === "waiting");
  queue.start();
  await when(queue, ({ progress }) => progress.complete === 1);
});
