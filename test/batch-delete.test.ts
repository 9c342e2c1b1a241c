import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { batchData } from "./shapes.ts";
import { expectUnchanged } from "./snapshot.ts";

const server = await startServer();
const five = await startServer({ MAX_DELETE_BATCH: "5" });
afterAll(async () => {
  await server.discard();
  await five.discard();
});
const a = api(server);

const remove = (body: unknown, on = server) => api(on).json("DELETE", "/api/files", body);

async function some(count: number, on = server): Promise<string[]> {
  const folder = unique("batch");
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) ids.push((await api(on).put(`${folder}/${at}`)).id);
  return ids;
}

test("deletes the given files and no others", async () => {
  const [kept = "", ...ids] = await some(4);
  const result = expectData(await remove({ ids }), batchData);
  expect(new Set(result.deleted)).toEqual(new Set(ids));
  expect(result.failed).toEqual([]);
  for (const id of ids) expectFault(await a.get(`/api/files?id=${id}`), 404);
  expect((await a.file(kept)).id).toBe(kept);
});

test("returns unknown ids in failed and deletes the others", async () => {
  const [one = "", two = ""] = await some(2);
  const folder = await a.folder(unique("batch"));
  const ids = ["nope", one, folder.id, two, ""];
  const result = expectData(await remove({ ids }), batchData);
  expect(new Set(result.deleted)).toEqual(new Set([one, two]));
  expect(result.failed.map(({ id }) => id).sort()).toEqual(["", folder.id, "nope"].sort());
  expect((await a.browse(folder.key)).folder).toEqual(folder);
});

test("ignores duplicate ids", async () => {
  const [one = ""] = await some(1);
  const result = expectData(await remove({ ids: [one, "nope", one, "nope", one] }), batchData);
  expect(result.deleted).toEqual([one]);
  expect(result.failed.map(({ id }) => id)).toEqual(["nope"]);
});

test("accepts a batch of one id", async () => {
  const ids = await some(1);
  expect(expectData(await remove({ ids }), batchData)).toEqual({ deleted: ids, failed: [] });
});

describe("rejects and deletes nothing", () => {
  async function expectRefused(body: unknown, status: number, message: RegExp, on = server) {
    expectFault(await expectUnchanged(on, () => remove(body, on)), status, message);
  }

  test("404 when none of the ids exists", async () => {
    await some(1);
    await expectRefused({ ids: ["nope", "nor this"] }, 404, /./);
    await expectRefused({ ids: ["nope"] }, 404, /./);
  });

  test("400 for an empty list", async () => {
    await some(1);
    await expectRefused({ ids: [] }, 400, /ids/);
  });

  test("400 for id and ids together", async () => {
    const ids = await some(2);
    await expectRefused({ id: ids[0], ids }, 400, /id.*ids/);
    await expectRefused({ id: ids[0], ids: [] }, 400, /ids/);
  });

  test.each([
    ["ids", "text"],
    ["ids", { 0: "x" }],
    ["ids", 5],
    ["ids", true],
    ["ids", null],
  ])("400 for %s: %j", async (field, value) => {
    await expectRefused({ [field]: value }, 400, /ids/);
  });

  test("400 for an id that is not a string, even among valid ones", async () => {
    const ids = await some(1);
    for (const wrong of [5, null, true, ["x"], {}]) {
      await expectRefused({ ids: [...ids, wrong] }, 400, /ids/);
    }
  });

  test("400 above MAX_DELETE_BATCH; accepts exactly that many", async () => {
    const ids = await some(6, five);
    await expectRefused({ ids }, 400, /5/, five);
    const result = expectData(await remove({ ids: ids.slice(1) }, five), batchData);
    expect(result.deleted.length).toBe(5);
  });

  test("duplicates do not count towards MAX_DELETE_BATCH", async () => {
    const ids = await some(3, five);
    const result = expectData(await remove({ ids: [...ids, ...ids] }, five), batchData);
    expect(new Set(result.deleted)).toEqual(new Set(ids));
  });

  test("the default of MAX_DELETE_BATCH is 500", async () => {
    const unknown = (count: number) => Array.from({ length: count }, (_, at) => `nope-${at}`);
    await expectRefused({ ids: unknown(501) }, 400, /500/);
    await expectRefused({ ids: unknown(500) }, 404, /./);
    const [one = ""] = await some(1);
    const result = expectData(await remove({ ids: [...unknown(499), one] }), batchData);
    expect([result.deleted, result.failed.length]).toEqual([[one], 499]);
  });
});
