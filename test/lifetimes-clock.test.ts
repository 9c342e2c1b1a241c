import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import { api, send } from "./client.ts";
import { eventually } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const servers: TestServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.discard())));

const trashPage = z.object({
  data: z.object({ items: z.array(z.object({ id: z.string(), expiresAt: z.string() })) }),
});

/** A server with a public file that ends in an hour, and ways to change its catalog while it is stopped. */
async function withEndingFile(env: Readonly<Record<string, string>> = {}, key = "old.txt") {
  const server = await startServer(env);
  servers.push(server);
  const a = api(server);
  const file = await a.put(key, "old", { visibility: "public" });
  await a.json("PUT", "/api/files", { id: file.id, expiresIn: 3600 });
  const write = async (statement: string, ...values: (string | number)[]) => {
    await server.stop();
    const catalog = new Database(join(server.dataPath, "catalog.sqlite"));
    catalog.run(statement, values);
    catalog.close();
    await server.restart();
  };
  const status = async () => (await send(server, "GET", `/${file.url}`)).status;
  const trashed = async () =>
    trashPage.parse(JSON.parse((await a.get("/api/trash")).text)).data.items;
  const stored = (): number => {
    const reader = new Database(join(server.dataPath, "catalog.sqlite"), { readonly: true });
    try {
      return reader.query("select id from files").all().length;
    } finally {
      reader.close();
    }
  };
  return { server, file, write, status, trashed, stored };
}

test("a server whose clock is ahead hides ended files, and moves none until it is trusted again", async () => {
  const { server, write, status, trashed, stored } = await withEndingFile();
  expect(await status()).toBe(200);
  const clock = JSON.stringify({ seenAt: Date.now() - 365 * DAY, steadyMs: null });
  await write("insert or replace into settings (name, value) values ('clock', ?)", clock);
  await write("update files set expires_at = expires_at - ?", 2 * HOUR);
  await eventually("the log says it", async () => server.output().includes("The clock was set"));
  expect(await status()).toBe(404);
  // Time for the jobs that go by age.
  await Bun.sleep(1000);
  expect([await trashed(), stored()]).toEqual([[], 1]);
  // The clock is right again, which is what this looks like from the file.
  await write("update files set expires_at = expires_at + ?", 2 * HOUR);
  expect(await status()).toBe(200);
});

test("without a trash an ended file is kept for an hour more", async () => {
  const { write, status, trashed, stored } = await withEndingFile({ TRASH_DAYS: "0" });
  await write("update files set expires_at = expires_at - ?", 2 * HOUR);
  expect(await status()).toBe(404);
  await eventually("it is in the trash", async () => (await trashed()).length === 1);
  const [item] = await trashed();
  const left = Date.parse(`${item?.expiresAt.replace(" ", "T")}Z`) - Date.now();
  expect(left).toBeGreaterThan(HOUR - 120_000);
  // Another run of the job, which is too soon.
  await write("update trash_deletions set expires_at = expires_at - ?", HOUR - 120_000);
  await Bun.sleep(1000);
  expect(stored()).toBe(1);
  await write("update trash_deletions set expires_at = expires_at - ?", 180_000);
  await eventually("it is deleted permanently", async () => (await trashed()).length === 0);
  expect(stored()).toBe(0);
});

test("a folder that was deleted after a file in it had ended comes back without it", async () => {
  const { server, file, write, status, trashed } = await withEndingFile({}, "folder/old.txt");
  const a = api(server);
  const kept = await a.put("folder/kept.txt", "kept", { visibility: "public" });
  const setClock = (seenAt: number) =>
    write(
      "insert or replace into settings (name, value) values ('clock', ?)",
      JSON.stringify({ seenAt, steadyMs: null }),
    );
  // The job that moves ended files to the trash waits for a trusted clock.
  await setClock(Date.now() - 365 * DAY);
  await write("update files set expires_at = expires_at - ?", 2 * HOUR);
  const since = new Date(Date.now() - HOUR).toISOString();
  const [{ id }] = JSON.parse((await a.get("/api/keys")).text).data.keys;
  const restores = [
    (undoId: string) => a.json("POST", "/api/trash/restore", { undoId }),
    () => a.json("POST", "/api/undo", { by: id, since }),
  ];
  for (const restore of restores) {
    const deleted = await a.json("DELETE", "/api/folders", { key: "folder", trash: true });
    expect((await restore(JSON.parse(deleted.text).data.undoId)).status).toBe(200);
    expect((await send(server, "GET", `/${kept.url}`)).text).toBe("kept");
    expect(await status()).toBe(404);
    expect((await a.get(`/api/files?id=${file.id}`)).status).toBe(404);
    expect((await a.list()).map(({ key }) => `${key}`)).toEqual(["folder/kept.txt"]);
  }
  await setClock(Date.now());
  await eventually("the job moves it", async () => (await trashed()).length === 1);
  expect(await trashed()).toMatchObject([{ id: file.id }]);
});
