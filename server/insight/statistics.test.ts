import { expect, test } from "bun:test";
import type { StatisticsPort } from "../catalog/port.ts";
import { createStatistics } from "./statistics.ts";

/** So many files of one type, counted as a catalog does; each look takes so long. */
function createShelf(count: number) {
  const state = { count, looks: 0, clock: 0, cost: 10 };
  const census: StatisticsPort = {
    async countFiles(after, limit) {
      state.looks += 1;
      state.clock += state.cost;
      const from = after === "" ? 0 : Number(after);
      const files = Math.min(limit, state.count - from);
      const last = files < limit ? null : String(from + files);
      return { types: [{ mimeType: "image/png", files, bytes: files * 3 }], last };
    },
    countFolders: async () => ({ count: 4, last: null }),
  };
  return { state, take: createStatistics(census, () => state.clock) };
}

test("everything is counted, whatever the size of a batch", async () => {
  for (const count of [0, 1, 1999, 2000, 2001, 50_000]) {
    const stock = await createShelf(count).take();
    expect(stock).toMatchObject({ files: count, bytes: count * 3, folders: 4 });
    expect(stock.kinds.map(({ kind }) => kind)).toEqual([
      "image",
      "video",
      "audio",
      "document",
      "text",
      "archive",
      "other",
    ]);
    expect(stock.kinds[0]).toEqual({ kind: "image", files: count, bytes: count * 3 });
  }
});

test("a count is good for some time, and longer when it took longer", async () => {
  const { state, take } = createShelf(100);
  await take();
  state.count = 101;
  state.clock += 499;
  expect((await take()).files).toBe(100);
  state.clock += 1;
  expect((await take()).files).toBe(101);
  state.cost = 100;
  state.clock += 501;
  await take();
  state.clock += 4999;
  state.count = 102;
  expect((await take()).files).toBe(101);
});

test("who asks at the same time is told by the same count", async () => {
  const { state, take } = createShelf(10_000);
  const all = await Promise.all([take(), take(), take()]);
  expect(new Set(all).size).toBe(1);
  expect(state.looks).toBe(6);
});
