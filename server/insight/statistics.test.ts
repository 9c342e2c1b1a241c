import { expect, test } from "bun:test";
import type { StatisticsPort } from "../catalog/port/insight.ts";
import { createStatistics } from "./statistics.ts";

/** Statistics of a fake catalog with `count` files of one type; each query takes `cost` milliseconds. */
function openStatistics(count: number) {
  const state = { count, queries: 0, clock: 0, cost: 10 };
  const catalog: Pick<StatisticsPort, "countFiles" | "countFolders"> = {
    async countFiles(after, limit) {
      state.queries += 1;
      state.clock += state.cost;
      const from = after === "" ? 0 : Number(after);
      const files = Math.min(limit, state.count - from);
      const last = files < limit ? null : String(from + files);
      return { types: [{ mimeType: "image/png", files, bytes: files * 3 }], last };
    },
    countFolders: async () => ({ count: 4, last: null }),
  };
  return { state, read: createStatistics(catalog, () => state.clock) };
}

test("counts everything, also in incomplete batches", async () => {
  for (const count of [0, 1, 1999, 2000, 2001, 50_000]) {
    const statistics = await openStatistics(count).read();
    expect(statistics).toMatchObject({ files: count, bytes: count * 3, folders: 4 });
    expect(statistics.kinds.map(({ kind }) => kind)).toEqual([
      "image",
      "video",
      "audio",
      "document",
      "text",
      "archive",
      "other",
    ]);
    expect(statistics.kinds[0]).toEqual({ kind: "image", files: count, bytes: count * 3 });
  }
});

test("caches the result longer when counting took longer", async () => {
  const { state, read } = openStatistics(100);
  await read();
  state.count = 101;
  state.clock += 499;
  expect((await read()).files).toBe(100);
  state.clock += 1;
  expect((await read()).files).toBe(101);
  state.cost = 100;
  state.clock += 501;
  await read();
  state.clock += 4999;
  state.count = 102;
  expect((await read()).files).toBe(101);
});

test("concurrent callers share one count", async () => {
  const { state, read } = openStatistics(10_000);
  const all = await Promise.all([read(), read(), read()]);
  expect(new Set(all).size).toBe(1);
  expect(state.queries).toBe(6);
});
