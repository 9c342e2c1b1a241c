import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { api } from "./client.ts";
import { startServer } from "./harness.ts";

/*
 * The server caches what is read often. After a change is confirmed, no response may be stale,
 * whichever process made the change.
 */

const server = await startServer();
const a = api(server);
afterAll(() => server.discard());

/** Another process, which runs each line of SQL on the same catalog. */
const script = `
  const db = new (require("bun:sqlite").Database)(process.argv[1]);
  db.run("PRAGMA busy_timeout = 5000");
  for await (const line of console) if (line !== "") { db.run(line); console.log("done"); }
`;
let other: ChildProcess;
let answers: AsyncIterator<string>;

beforeAll(() => {
  other = spawn(process.execPath, ["-e", script, join(server.dataPath, "catalog.sqlite")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (other.stdout === null) throw new Error("The other process has no output");
  answers = createInterface({ input: other.stdout })[Symbol.asyncIterator]();
});

afterAll(async () => {
  other.stdin?.end();
  await once(other, "exit");
});

async function commitElsewhere(sql: string): Promise<void> {
  other.stdin?.write(`${sql}\n`);
  expect((await answers.next()).value).toBe("done");
}

const statusOf = async (key: string): Promise<number> => {
  const response = await fetch(`${server.url}/api/hosting/${key}`);
  await response.arrayBuffer();
  return response.status;
};

test("the next read sees a change by another process", async () => {
  const { id } = await a.put("elsewhere.txt", "text");
  for (let turn = 0; turn < 25; turn += 1) {
    expect(await statusOf("elsewhere.txt")).toBe(200);
    expect(await statusOf("elsewhere.txt")).toBe(200);
    await commitElsewhere(`update files set visibility = 'private' where id = '${id}'`);
    expect(await statusOf("elsewhere.txt")).toBe(404);
    await commitElsewhere(`update files set visibility = 'public' where id = '${id}'`);
  }
  await commitElsewhere(`update files set name = 'renamed.txt' where id = '${id}'`);
  expect(await statusOf("elsewhere.txt")).toBe(404);
  expect(await statusOf("renamed.txt")).toBe(200);
});

test("every read after a change is confirmed sees it, on all connections", async () => {
  let { id } = await a.put("here/file.txt", "0");
  const everywhere = (key: string) =>
    Promise.all(Array.from({ length: 20 }, () => statusOf(key))).then((all) => new Set(all));
  for (let turn = 1; turn <= 10; turn += 1) {
    expect(await everywhere("here/file.txt")).toEqual(new Set([200]));
    await a.json("PUT", "/api/files", { id, visibility: "private" });
    expect(await everywhere("here/file.txt")).toEqual(new Set([404]));
    await a.json("PUT", "/api/files", { id, name: "other.txt", visibility: "public" });
    expect(await everywhere("here/file.txt")).toEqual(new Set([404]));
    expect(await everywhere("here/other.txt")).toEqual(new Set([200]));
    await a.json("DELETE", "/api/files", { id });
    expect(await everywhere("here/other.txt")).toEqual(new Set([404]));
    ({ id } = await a.put("here/file.txt", String(turn)));
    expect(await (await fetch(`${server.url}/api/hosting/here/file.txt`)).text()).toBe(
      String(turn),
    );
  }
});

test("replaced content is never served again, nor confirmed by a 304", async () => {
  await a.put("replaced.txt", "0");
  for (let turn = 1; turn <= 20; turn += 1) {
    const before = await fetch(`${server.url}/api/hosting/replaced.txt`);
    await before.arrayBuffer();
    const form = new FormData();
    form.append("onConflict", "replace");
    form.append("files", new File([String(turn)], "replaced.txt"));
    const headers = { "API-Key": server.apiKey };
    const answer = await fetch(`${server.url}/api/files`, { method: "POST", headers, body: form });
    expect(answer.status).toBe(200);
    const after = await fetch(`${server.url}/api/hosting/replaced.txt`, {
      headers: { "If-None-Match": before.headers.get("etag") ?? "" },
    });
    expect([after.status, await after.text()]).toEqual([200, String(turn)]);
  }
});
