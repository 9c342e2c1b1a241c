import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import { api } from "./client.ts";
import { eventually } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { createUpload } from "./upload-url.ts";

const DAY = 86_400_000;
const servers: TestServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.discard())));

const idPage = z.object({ data: z.object({ items: z.array(z.object({ id: z.string() })) }) });

/** A server with a file in the trash and an open upload that have expired a minute ago, which is stopped. */
async function stoppedWithExpired(seenAt: number) {
  const server = await startServer();
  servers.push(server);
  const a = api(server);
  const file = await a.put("old.txt", "old");
  await a.json("DELETE", "/api/files", { id: file.id, trash: true });
  await createUpload(server, { name: "open", size: 9 });
  await server.stop();
  const catalog = new Database(join(server.dataPath, "catalog.sqlite"));
  const expired = Date.now() - 60_000;
  catalog.run("update trash_deletions set expires_at = ?", [expired]);
  catalog.run("update uploads set expires_at = ?", [expired]);
  const clock = JSON.stringify({ seenAt, steadyMs: null });
  catalog.run("insert or replace into settings (name, value) values ('clock', ?)", [clock]);
  catalog.close();
  const openUploads = (): number => {
    const reader = new Database(join(server.dataPath, "catalog.sqlite"), { readonly: true });
    try {
      return reader.query("select id from uploads").all().length;
    } finally {
      reader.close();
    }
  };
  const trashed = async (): Promise<number> => {
    const page = await a.json("GET", "/api/trash");
    return idPage.parse(JSON.parse(page.text)).data.items.length;
  };
  return { server, openUploads, trashed };
}

test("a server deletes at its start what has expired", async () => {
  const { server, openUploads, trashed } = await stoppedWithExpired(Date.now() - 120_000);
  await server.restart();
  await eventually("the trash is empty", async () => (await trashed()) === 0);
  expect(openUploads()).toBe(0);
});

test.each([
  ["ahead", -365 * DAY],
  ["behind", 365 * DAY],
])("a server whose clock is a year %s deletes nothing by age, and says so", async (_, offset) => {
  const { server, openUploads, trashed } = await stoppedWithExpired(Date.now() + offset);
  await server.restart();
  await eventually("the log says it", async () => server.output().includes("The clock was set"));
  // Time for the jobs that delete by age.
  await Bun.sleep(1000);
  expect(await trashed()).toBe(1);
  expect(openUploads()).toBe(1);
  // Another start does not make the clock right.
  await server.restart();
  await eventually("the log says it again", async () =>
    server.output().includes("within the last day of running"),
  );
  // Time for the jobs that delete by age.
  await Bun.sleep(1000);
  expect([await trashed(), openUploads()]).toEqual([1, 1]);
});
