import { expect, test } from "bun:test";
import { z } from "zod";
import { api, unique } from "./client.ts";
import { eventually, expectData, expectFault, untilNextSecond } from "./expectations.ts";
import type { TestServer } from "./harness.ts";
import { newKeyData } from "./shapes.ts";
import { withServer } from "./with-server.ts";

const page = z.object({
  activity: z.array(z.object({ action: z.string(), detail: z.record(z.string(), z.unknown()) })),
});
const deletedCount = z.strictObject({ deleted: z.int() });

const list = async (server: TestServer) =>
  expectData(await api(server).get("/api/activity?limit=200"), page).activity;
const clear = (server: TestServer, body: object) =>
  api(server).json("DELETE", "/api/activity", body);

/** Makes folders, whose entries may still be in a buffer. */
async function act(server: TestServer, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await api(server).folder(unique("f"));
}

test("deletes all entries, buffered ones too, and records that", () =>
  withServer({ WORKERS: process.platform === "linux" ? "2" : "1" }, async (server) => {
    await act(server, 12);
    const { deleted } = expectData(await clear(server, { all: true }), deletedCount);
    expect(deleted).toBe(12);
    await eventually("the deletion is recorded", async () => (await list(server)).length === 1);
    expect(await list(server)).toMatchObject([
      { action: "clearActivity", detail: { entries: 12 } },
    ]);
  }));

test("deletes the entries from before a time", () =>
  withServer({}, async (server) => {
    await act(server, 3);
    await untilNextSecond();
    const before = new Date().toISOString();
    await act(server, 2);
    expect(expectData(await clear(server, { before }), deletedCount).deleted).toBe(3);
    await eventually("the rest is there", async () => (await list(server)).length === 3);
    const [last] = await list(server);
    expect(last?.detail).toEqual({
      before: before.slice(0, 19).replace("T", " "),
      entries: 3,
    });
  }));

test("needs a range, and `admin` for the whole instance", () =>
  withServer({}, async (server) => {
    expectFault(await clear(server, {}), 400, /either `before` or `all`/);
    expectFault(await clear(server, { all: true, before: "2026-01-01" }), 400);
    expectFault(await clear(server, { all: false }), 400, /must be true/);
    expectFault(await clear(server, { before: "yesterday" }), 400, /must be a time/);
    await api(server).folder("limited");
    for (const rights of [{ actions: ["delete"] }, { actions: ["admin"], folder: "limited" }]) {
      const made = await api(server).json("POST", "/api/keys", { name: "x", ...rights });
      const { secret: apiKey } = expectData(made, newKeyData);
      const answer = await api({ ...server, url: server.url, apiKey }).json(
        ...(["DELETE", "/api/activity", { all: true }] as const),
      );
      expectFault(answer, 403);
    }
    await eventually("nothing is deleted", async () => (await list(server)).length > 0);
  }));
