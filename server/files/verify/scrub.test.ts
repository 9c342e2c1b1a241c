import { afterEach, beforeEach, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { until } from "../files.fixture.ts";
import { createPacer, Stopped } from "./pacer.ts";
import { type Scrub, type ScrubDeps, startScrub } from "./scrub.ts";
import { readScrub, type ScrubState, uncheckedFindings } from "./scrub-state.ts";
import { openVerifyFixture, type VerifyFixture } from "./verify.fixture.ts";

const DAY = 86_400_000;
let instance: VerifyFixture;
let running: Scrub | undefined;
let reported: string[];
let finished: ScrubState[];

beforeEach(async () => {
  instance = await openVerifyFixture();
  reported = [];
  finished = [];
});
afterEach(async () => {
  await running?.stop();
  await instance.fixture.end();
});

function start(deps: Partial<ScrubDeps> = {}): void {
  running = startScrub({
    catalog: instance.fixture.catalog,
    blobs: instance.fixture.blobs,
    intervalMs: DAY,
    rate: 1024 ** 3,
    onFinding: ({ id }) => void reported.push(id),
    onFinish: (state) => void finished.push(structuredClone(state)),
    onError: instance.fixture.onError,
    ...deps,
  });
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

const contents = Array.from({ length: 120 }, (_, n) => `file ${n}`);
const savedState = () => readScrub(instance.fixture.catalog);

test("a scrub reads every file once, reports its findings and saves them", async () => {
  const [flipped, lost] = await instance.addFiles(contents, "a");
  if (!flipped || !lost) throw new Error("No files.");
  await instance.flipBit(flipped);
  await instance.deleteBlob(lost);
  start();
  await until(() => finished.length === 1);
  const bytes = contents.join("").length - (contents[1]?.length ?? 0);
  expect(finished).toMatchObject([{ files: 120, bytes, found: 2 }]);
  expect(reported.sort()).toEqual([flipped.id, lost.id].sort());
  const state = await savedState();
  expect(state?.finishedAt).toBeGreaterThanOrEqual(state?.startedAt ?? 0);
  expect(state?.findings.map(({ id, type }) => [id, type]).sort()).toEqual(
    [
      [flipped.id, "damaged"],
      [lost.id, "missing"],
    ].sort(),
  );
  expect(state?.findings.map(({ key }) => key).sort()).toEqual([flipped.key, lost.key].sort());
});

test("counts and reports all of 1,005 findings, and saves the first 1,000 once each", async () => {
  const files = await instance.addFiles(
    Array.from({ length: 1005 }, (_, n) => `file ${n}`),
    "a",
  );
  for (const file of files) await instance.deleteBlob(file);
  let writes = 0;
  const putSettings = (...input: Parameters<typeof instance.fixture.catalog.putSettings>) => {
    writes += 1;
    return instance.fixture.catalog.putSettings(...input);
  };
  const putSetting = (name: string, value: string) => {
    writes += 1;
    return instance.fixture.catalog.putSetting(name, value);
  };
  const end = Promise.withResolvers<ScrubState>();
  start({
    catalog: { ...instance.fixture.catalog, putSetting, putSettings },
    onFinish: end.resolve,
  });
  expect(await end.promise).toMatchObject({ files: 1005, found: 1005 });
  expect(reported).toHaveLength(1005);
  expect((await savedState())?.findings).toHaveLength(1000);
  // One for each saved finding and one at the end; a slow run adds one every 30 seconds.
  expect(writes).toBeGreaterThan(1000);
  expect(writes).toBeLessThan(1005);
});

test("adds the digests of intact files that have none, and no others", async () => {
  const [first, replaced, flipped, ...rest] = await instance.addFiles(contents, "a");
  if (!first || !replaced || !flipped) throw new Error("No files.");
  for (const file of [first, replaced, flipped]) await instance.fixture.setDigest(file, null);
  await instance.flipBit(flipped);
  const { addDigests } = instance.fixture.catalog;
  let batches = 0;
  start({
    catalog: {
      ...instance.fixture.catalog,
      async addDigests(digests) {
        batches += 1;
        // As if the file got other content between the read and the change.
        const stale = { blobId: first.blobId };
        await addDigests(
          digests.map((each) => (each.fileId === replaced.id ? { ...each, ...stale } : each)),
        );
      },
    },
  });
  await until(() => finished.length === 1);
  const digestOf = async ({ id }: typeof first) =>
    (await instance.fixture.catalog.fileById(COMMAND_EVERYWHERE, id))?.sha256;
  expect(await digestOf(first)).toBe(first.sha256);
  expect(await digestOf(replaced)).toBeNull();
  expect(await digestOf(flipped)).toBeNull();
  for (const file of rest) expect(await digestOf(file)).toBe(file.sha256);
  expect(batches).toBe(1);
  expect(finished).toMatchObject([{ found: 1 }]);
});

test("goes on when digests cannot be added", async () => {
  const [file] = await instance.addFiles(["content"]);
  if (file === undefined) throw new Error("No file.");
  await instance.fixture.setDigest(file, null);
  const addDigests = () => Promise.reject(new Fault("no_space", "The disk is full."));
  start({ catalog: { ...instance.fixture.catalog, addDigests } });
  await until(() => finished.length === 1);
  expect(finished).toMatchObject([{ files: 1, found: 0 }]);
  expect(instance.fixture.errors).toEqual(["Could not add the digests of older files"]);
});

test("waits until the next scrub is due, also across restarts", async () => {
  await instance.addFiles(["one"]);
  start();
  await until(() => finished.length === 1);
  await stop();
  start();
  await Bun.sleep(100);
  expect(finished).toHaveLength(1);
  await stop();
  start({ intervalMs: 1 });
  await until(() => finished.length > 2);
});

test("reports a damaged file once, even if later scrubs find it again", async () => {
  const [flipped] = await instance.addFiles(["one", "two"]);
  if (flipped === undefined) throw new Error("No file.");
  await instance.flipBit(flipped);
  start({ intervalMs: 1 });
  await until(() => finished.length > 2);
  expect(reported).toEqual([flipped.id]);
  expect(finished.map(({ found }) => found)).toEqual(finished.map(() => 1));
});

test("an interrupted scrub continues where it stopped", async () => {
  const files = await instance.addFiles(contents);
  const [first, last] = [files.at(0), files.at(-1)];
  if (!first || !last) throw new Error("No files.");
  await instance.flipBit(first);
  await instance.flipBit(last);
  // A small file counts as 64 KB: about forty of them a second.
  start({ rate: 64 * 1024 * 40 });
  await until(async () => ((await savedState())?.found ?? 0) > 0);
  await Bun.sleep(200);
  await stop();
  const half = await savedState();
  expect(half?.finishedAt).toBeNull();
  expect(half?.files).toBeGreaterThan(0);
  expect(half?.files).toBeLessThan(contents.length);
  start();
  await until(() => finished.length === 1);
  expect(finished).toMatchObject([
    { files: contents.length, found: 2, startedAt: half?.startedAt },
  ]);
  expect(finished[0]?.bytes).toBe(contents.join("").length);
  expect(reported).toEqual([first.id, last.id]);
});

test("knows what the previous scrub found until it has come to it", async () => {
  const files = await instance.addFiles(contents);
  const [first, last] = [files.at(0), files.at(-1)];
  if (!first || !last) throw new Error("No files.");
  await instance.flipBit(first);
  await instance.flipBit(last);
  start();
  await until(() => finished.length === 1);
  await stop();
  // A small file counts as 64 KB: about four of them a second.
  start({ rate: 64 * 1024 * 4 });
  await running?.startNow();
  await until(async () => ((await savedState())?.found ?? 0) === 1);
  await stop();
  const state = await savedState();
  if (state === undefined) throw new Error("Nothing was saved.");
  expect(state.finishedAt).toBeNull();
  expect(uncheckedFindings(state)).toBe(1);
  expect(uncheckedFindings({ ...state, position: -1 })).toBe(2);
  // Of more than 1,000, the others are known by their number only.
  const previous = { found: 7, blobIds: [1, 5, 9] };
  expect(uncheckedFindings({ ...state, position: 5, previous })).toBe(5);
  start();
  await until(() => finished.length === 2);
  expect(finished.map(uncheckedFindings)).toEqual([0, 0]);
  expect(finished.map(({ found }) => found)).toEqual([2, 2]);
});

test("does not exceed the rate", async () => {
  await instance.addFiles(Array.from({ length: 20 }, () => "x".repeat(100_000)));
  const from = performance.now();
  start({ rate: 4_000_000 });
  await until(() => finished.length === 1);
  expect(performance.now() - from).toBeGreaterThan(450);
});

test("without an interval, it runs only when it is asked to", async () => {
  await instance.addFiles(contents);
  start({ intervalMs: null });
  await running?.startNow();
  expect(await savedState()).toMatchObject({ requested: true });
  await until(() => finished.length === 1);
  await instance.addFiles(["another"], "later");
  await running?.startNow();
  await until(() => finished.length === 2);
  expect(finished.map(({ files }) => files)).toEqual([120, 121]);
});

test("a scrub that was asked for is shown at once, and runs once", async () => {
  await instance.addFiles(contents);
  start({ intervalMs: null, rate: 64 * 1024 * 40 });
  await Promise.all([running?.startNow(), running?.startNow()]);
  const started = await savedState();
  expect(started).toMatchObject({ finishedAt: null });
  await running?.startNow();
  expect((await savedState())?.startedAt).toBe(started?.startedAt ?? 0);
});

test("without an interval, a process finishes only a scrub that was asked for", async () => {
  const [first] = await instance.addFiles(contents);
  if (!first) throw new Error("No files.");
  await instance.flipBit(first);
  start({ rate: 64 * 1024 * 40 });
  // A finding is saved at once.
  await until(async () => (await savedState()) !== undefined);
  await stop();
  const half = await savedState();
  if (half === undefined) throw new Error("Nothing was saved.");
  expect(half.requested).toBeUndefined();
  start({ intervalMs: null });
  await running?.startNow();
  await stop();
  expect((await savedState())?.startedAt).toBe(half.startedAt);
  start({ intervalMs: null });
  await until(async () => (await savedState())?.finishedAt !== null);
});

test("a scrub is asked for before the next one is due", async () => {
  await instance.addFiles(contents);
  start();
  await until(() => finished.length === 1);
  await running?.startNow();
  await until(() => finished.length === 2);
});

test("ignores a saved state that it cannot read", async () => {
  await instance.fixture.catalog.putSetting("scrub", '{"position":"far"}');
  expect(await savedState()).toBeUndefined();
  await instance.fixture.catalog.putSetting("scrub", "no JSON");
  expect(await savedState()).toBeUndefined();
  start();
  await until(() => finished.length === 1);
});

test("a pacer gives no credit for idle time, and stop ends every wait", async () => {
  const pacer = createPacer(1_000_000);
  await Bun.sleep(50);
  const from = performance.now();
  await pacer.spend(50_000);
  await pacer.spend(50_000);
  expect(performance.now() - from).toBeGreaterThan(95);
  const long = pacer.wait(60_000);
  pacer.stop();
  await expect(long).rejects.toBeInstanceOf(Stopped);
  await expect(pacer.spend(1)).rejects.toBeInstanceOf(Stopped);
});
