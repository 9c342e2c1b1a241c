import { afterEach, beforeEach, expect, test } from "bun:test";
import { until } from "./files.fixture.ts";
import { createPacer, Stopped } from "./pacer.ts";
import { type Scrub, type ScrubParts, startScrub } from "./scrub.ts";
import { readScrub, type ScrubState } from "./scrub-state.ts";
import { openVerifyFixture, type VerifyFixture } from "./verify.fixture.ts";

const DAY = 86_400_000;
let instance: VerifyFixture;
let running: Scrub | undefined;
let told: string[];
let finished: ScrubState[];

beforeEach(async () => {
  instance = await openVerifyFixture();
  told = [];
  finished = [];
});
afterEach(async () => {
  await running?.stop();
  await instance.fixture.end();
});

function start(parts: Partial<ScrubParts> = {}): void {
  running = startScrub({
    catalog: instance.fixture.catalog,
    blobs: instance.fixture.blobs,
    intervalMs: DAY,
    rate: 1024 ** 3,
    onFinding: ({ id }) => void told.push(id),
    onFinish: (state) => void finished.push(structuredClone(state)),
    onError: instance.fixture.onError,
    ...parts,
  });
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

const contents = Array.from({ length: 120 }, (_, n) => `file ${n}`);
const kept = () => readScrub(instance.fixture.catalog);

test("a scrub reads everything once, tells what it found, and keeps it", async () => {
  const [flipped, lost] = await instance.addWhole(contents, "a");
  if (!flipped || !lost) throw new Error("No files.");
  await instance.flip(flipped);
  await instance.lose(lost);
  start();
  await until(() => finished.length === 1);
  const bytes = contents.join("").length - (contents[1]?.length ?? 0);
  expect(finished).toMatchObject([{ files: 120, bytes, found: 2 }]);
  expect(told.sort()).toEqual([flipped.id, lost.id].sort());
  const state = await kept();
  expect(state?.finishedAt).toBeGreaterThanOrEqual(state?.startedAt ?? 0);
  expect(state?.findings.map(({ id, type }) => [id, type]).sort()).toEqual(
    [
      [flipped.id, "damaged"],
      [lost.id, "missing"],
    ].sort(),
  );
  expect(state?.findings.map(({ key }) => key).sort()).toEqual([flipped.key, lost.key].sort());
});

test("of very many findings all are counted and told, and the first are kept, each once", async () => {
  const files = await instance.addWhole(
    Array.from({ length: 1005 }, (_, n) => `file ${n}`),
    "a",
  );
  for (const file of files) await instance.lose(file);
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
  expect(told).toHaveLength(1005);
  expect((await kept())?.findings).toHaveLength(1000);
  // One for each that is kept and one for the end; a slow run adds one each half minute.
  expect(writes).toBeGreaterThan(1000);
  expect(writes).toBeLessThan(1005);
}, 60_000);

test("it waits until the next is due, also across restarts", async () => {
  await instance.addWhole(["one"]);
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

test("what is found again is told once", async () => {
  const [flipped] = await instance.addWhole(["one", "two"]);
  if (flipped === undefined) throw new Error("No file.");
  await instance.flip(flipped);
  start({ intervalMs: 1 });
  await until(() => finished.length > 2);
  expect(told).toEqual([flipped.id]);
  expect(finished.map(({ found }) => found)).toEqual(finished.map(() => 1));
});

test("stopped in the middle, it goes on where it was and finds the rest", async () => {
  const files = await instance.addWhole(contents);
  const [first, last] = [files.at(0), files.at(-1)];
  if (!first || !last) throw new Error("No files.");
  await instance.flip(first);
  await instance.flip(last);
  // A small file counts as 64 KB: some forty of them a second.
  start({ rate: 64 * 1024 * 40 });
  await until(async () => ((await kept())?.found ?? 0) > 0);
  await Bun.sleep(200);
  await stop();
  const half = await kept();
  expect(half?.finishedAt).toBeNull();
  expect(half?.files).toBeGreaterThan(0);
  expect(half?.files).toBeLessThan(contents.length);
  start();
  await until(() => finished.length === 1);
  expect(finished).toMatchObject([
    { files: contents.length, found: 2, startedAt: half?.startedAt },
  ]);
  expect(finished[0]?.bytes).toBe(contents.join("").length);
  expect(told).toEqual([first.id, last.id]);
});

test("it reads no faster than it may", async () => {
  await instance.addWhole(Array.from({ length: 20 }, () => "x".repeat(100_000)));
  const from = performance.now();
  start({ rate: 4_000_000 });
  await until(() => finished.length === 1);
  expect(performance.now() - from).toBeGreaterThan(450);
});

test("a kept position of another form counts for none", async () => {
  await instance.fixture.catalog.putSetting("scrub", '{"position":"far"}');
  expect(await kept()).toBeUndefined();
  await instance.fixture.catalog.putSetting("scrub", "no JSON");
  expect(await kept()).toBeUndefined();
  start();
  await until(() => finished.length === 1);
});

test("a pacer saves nothing up, and every wait ends when it is stopped", async () => {
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
