import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { api, send } from "./client.ts";
import { eventually } from "./expectations.ts";
import { removeFolder, run, startServer, type TestServer, temporaryFolder } from "./harness.ts";
import { blobsOf } from "./snapshot.ts";
import { isOnDisk } from "./test-stores.ts";

const LIMIT = 120_000;
const folder = temporaryFolder();
const servers: TestServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.discard()));
  removeFolder(folder);
});

async function start(env: Readonly<Record<string, string | undefined>> = {}) {
  const server = await startServer(env);
  servers.push(server);
  return server;
}

async function holdall(dataPath: string, ...args: string[]): Promise<void> {
  const ended = await run(args, { DATA_PATH: dataPath }, LIMIT);
  expect([args[0], ended.stderr, ended.code]).toEqual([args[0], "", 0]);
}

/** Runs a backup. `meanwhile`: once it copies, while it is suspended. */
async function backUp(dataPath: string, path: string, meanwhile: () => Promise<void>) {
  const pidFile = join(folder, "pid");
  const wrapper = [
    "sh",
    "-c",
    `echo $$ > '${pidFile}.new' && mv '${pidFile}.new' '${pidFile}' && exec "$@"`,
  ];
  const running = run(["backup", path], { DATA_PATH: dataPath }, LIMIT, [...wrapper, "sh"]);
  const ended = running.then(() => true);
  while (!isCopying(path)) {
    const isOver = await Promise.race([ended, Bun.sleep(1)]);
    if (isOver === true) throw new Error(`The backup ended: ${(await running).stderr}`);
  }
  const pid = Number(readFileSync(pidFile, "utf8"));
  process.kill(pid, "SIGSTOP");
  try {
    await meanwhile();
  } finally {
    process.kill(pid, "SIGCONT");
  }
  const { stderr, code } = await running;
  expect([stderr, code]).toEqual(["", 0]);
}

/** Whether the backup has its snapshot and writes the first blobs. */
function isCopying(path: string): boolean {
  const unfinished = join(path, "blobs", "unfinished");
  return existsSync(unfinished) && readdirSync(unfinished).length > 0;
}

/** More than a backup copies at once, so that those after them come later. */
const LARGE_FILES = 16;
const LARGE = 8 * 1024 ** 2;
/** A backup copies blobs before that, also on a busy machine. */
const BACKUP_SECONDS = 20;
/** Sizes that only these files have. */
const SIZES = { during: 11_111, before: 22_222, after: 33_333 };

describe.skipIf(!isOnDisk)("a backup of files that end", () => {
  test("has what ends while it runs, and no restored instance serves what has ended", async () => {
    const server = await start();
    const a = api(server);
    for (let n = 0; n < LARGE_FILES; n += 1) await a.put(`large/${n}`, Buffer.alloc(LARGE, n));
    const files = new Map<string, { readonly id: string; readonly url: string }>();
    const shown = async (at: TestServer) => {
      const statuses: Record<string, number> = {};
      for (const [name, { url }] of files)
        statuses[name] = (await send(at, "GET", `/${url}`)).status;
      return statuses;
    };
    for (const [name, size] of Object.entries(SIZES)) {
      files.set(name, await a.put(`short/${name}`, Buffer.alloc(size, 1)));
    }
    const end = (name: string, expiresIn: number) =>
      a.json("PUT", "/api/files", { id: files.get(name)?.id, expiresIn });
    await end("after", 3600);
    for (const name of ["during", "before"]) await end(name, BACKUP_SECONDS);
    const hasBlob = (dataPath: string, name: keyof typeof SIZES) =>
      blobsOf(dataPath).some((blob) => blob.endsWith(` ${SIZES[name]}`));

    const path = join(folder, "backup");
    await backUp(server.dataPath, path, async () => {
      expect(await shown(server)).toEqual({ during: 200, before: 200, after: 200 });
      expect(hasBlob(path, "during")).toBe(false);
      await eventually("they end", async () => {
        return Object.values(await shown(server)).filter((status) => status === 404).length === 2;
      });
      // It leaves the tree at once, and the trash too: nothing but the backup wants its content.
      await a.put("short/during", "another file");
      const { status } = await a.json("DELETE", "/api/trash", { ids: [files.get("during")?.id] });
      expect(status).toBe(200);
      await server.restart();
    });
    for (const name of ["during", "before", "after"] as const) {
      expect([name, hasBlob(path, name)]).toEqual([name, true]);
    }
    await eventually("its content is deleted", () => !hasBlob(server.dataPath, "during"));
    for (const dataPath of [server.dataPath, path]) await holdall(dataPath, "verify");

    const dataPath = join(folder, "restored");
    await holdall(dataPath, "restore", path);
    await holdall(dataPath, "verify");
    const restored = await start({ DATA_PATH: dataPath, INITIAL_API_KEY: undefined });
    const there = api({ url: restored.url, apiKey: server.apiKey });
    expect(await shown(restored)).toEqual({ during: 404, before: 404, after: 200 });
    expect((await there.list("?name=after")).map(({ key }) => `${key}`)).toEqual(["short/after"]);
    expect(await there.list("?name=during")).toEqual([]);

    await restored.stop();
    const catalog = new Database(join(dataPath, "catalog.sqlite"));
    catalog.run("update files set expires_at = ? where expires_at > ?", [Date.now(), Date.now()]);
    catalog.close();
    await holdall(dataPath, "verify");
    await restored.restart();
    expect(await shown(restored)).toEqual({ during: 404, before: 404, after: 404 });
    const again = api({ url: restored.url, apiKey: server.apiKey });
    await eventually("all three are in the trash", async () => {
      const { text } = await again.get("/api/trash");
      return [...files.values()].every(({ id }) => text.includes(id));
    });
    await again.json("DELETE", "/api/trash", { all: true });
    await eventually("their contents are deleted", () => blobsOf(dataPath).length === LARGE_FILES);
    await holdall(dataPath, "verify");
  }, 300_000);
});
