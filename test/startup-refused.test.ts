import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { api, send } from "./client.ts";
import { run } from "./harness.ts";
import { expectSoonerThanAServer } from "./sooner-than-a-server.ts";
import { freshStores, isOnDisk } from "./test-stores.ts";
import { withServer } from "./with-server.ts";
import { cannotDropRoot, withoutRoot } from "./without-root.fixture.ts";

test("refuses to start at once on a data folder in use, with the reason", () =>
  withServer({}, async (server) => {
    const start = () => run(["serve"], { ...server.env, PORT: "0" });
    const second = await start();
    expect(second.code).not.toBe(0);
    expect(second.code).not.toBeNull();
    await expectSoonerThanAServer(async () => expect((await start()).code).toBe(second.code));
    const printed = `${second.stdout}${second.stderr}`;
    expect(printed).toContain(server.dataPath);
    expect(printed.trim().split("\n").length).toBe(1);
    expect((await send(server, "GET", "/api/health")).status).toBe(200);
    expect((await api(server).put("still.txt")).size).toBe(9);
  }));

test("refuses a port in use with one sentence", () =>
  withServer({}, async (server) => {
    await withServer({}, async (other) => {
      const elsewhere = { ...(await freshStores()), DATA_PATH: `${server.dataPath}-2` };
      const env = { ...server.env, ...elsewhere, PORT: String(other.port) };
      const second = await run(["serve"], env);
      expect(second.code).not.toBe(0);
      expect(second.code).not.toBeNull();
      const printed = `${second.stdout}${second.stderr}`.trim();
      expect(printed.split("\n").at(-1)).toContain(String(other.port));
      expect(printed).not.toMatch(/\n\s+at /);
    });
  }));

test.skipIf(cannotDropRoot)("names the file that it may not read", () =>
  withServer({}, async (server) => {
    await server.stop();
    const marker = join(server.dataPath, "holdall.json");
    chmodSync(marker, 0);
    const { code, stderr } = await run([], { ...server.env, PORT: "0" }, undefined, withoutRoot);
    expect([code, stderr]).toEqual([1, expect.stringContaining(marker)]);
    expect(stderr).not.toContain("PORT");
    chmodSync(marker, 0o600);
  }),
);

/** What makes a data folder unusable, and the line that says so. `{}` stands for its path. */
const UNUSABLE: readonly (readonly [string, (path: string) => void, string])[] = [
  [
    "a folder of blobs that may not be written",
    (path) => chmodSync(join(path, "blobs"), 0o500),
    'The folder of the blobs is "{}/blobs", but must be a folder that this user may write: EACCES',
  ],
  [
    "a file in place of the blobs",
    (path) => {
      rmSync(join(path, "blobs"), { recursive: true });
      writeFileSync(join(path, "blobs"), "");
    },
    'The folder of the blobs is "{}/blobs", but must be a folder that this user may write: EEXIST',
  ],
  [
    "a catalog that may not be written",
    (path) => chmodSync(join(path, "catalog.sqlite"), 0o400),
    "{}/catalog.sqlite must be a file that this user may read and write: EACCES",
  ],
  [
    "a catalog that may not be read",
    (path) => chmodSync(join(path, "catalog.sqlite"), 0),
    "{}/catalog.sqlite must be a file that this user may read and write: EACCES",
  ],
  [
    "a folder in place of the catalog",
    (path) => {
      rmSync(join(path, "catalog.sqlite"));
      mkdirSync(join(path, "catalog.sqlite"));
    },
    "{}/catalog.sqlite must be a file of the catalog: move it away and restore a backup.",
  ],
  [
    "another file in place of the catalog",
    (path) => writeFileSync(join(path, "catalog.sqlite"), "not a database ".repeat(1000)),
    "The catalog {}/catalog.sqlite is damaged (file is not a database). Restore it from a backup",
  ],
  [
    "a catalog in a format that SQLite does not know",
    (path) => {
      const file = openSync(join(path, "catalog.sqlite"), "r+");
      writeSync(file, Uint8Array.of(0, 0, 0, 99), 0, 4, 44);
      closeSync(file);
    },
    "The catalog {}/catalog.sqlite is damaged (unsupported file format). Restore it from a backup",
  ],
];

describe.skipIf(cannotDropRoot || !isOnDisk)(
  "refuses to start, with one line that says why, with",
  () => {
    test.each(UNUSABLE)("%s", (_what, spoil, reason) =>
      withServer({}, async (server) => {
        await server.stop();
        spoil(server.dataPath);
        const env = { ...server.env, PORT: "0" };
        const { code, stderr } = await run(["serve"], env, undefined, withoutRoot);
        expect(stderr.trim().split("\n")).toHaveLength(1);
        expect(stderr).toContain(reason.replace("{}", server.dataPath));
        expect(code).toBe(1);
        // `discard` reads the catalog.
        rmSync(join(server.dataPath, "catalog.sqlite"), { recursive: true });
      }),
    );
  },
);

test.skipIf(!isOnDisk)("names the catalog when an index in it is damaged", () =>
  withServer({}, async (server) => {
    await api(server).put("file.txt");
    await server.stop();
    const path = join(server.dataPath, "catalog.sqlite");
    damageRecords(path, "sqlite_autoindex_files_2");
    const { code, stderr } = await run(["serve"], { ...server.env, PORT: "0" });
    const [why = "", ...more] = stderr.trim().split("\n").reverse();
    expect(why).toContain(`(the file is ${path}; if it fails again, restore it from a backup)`);
    expect(more).toEqual([expect.stringContaining(`"file":"${path}"`)]);
    expect(code).toBe(1);
    rmSync(path);
  }),
);

/** Changes the length of the header of a record in an index, which the quick check of the start does not read. */
function damageRecords(path: string, index: string): void {
  const catalog = new Database(path);
  const page = catalog
    .query<{ rootpage: number }, [string]>("SELECT rootpage FROM sqlite_schema WHERE name = ?")
    .get(index)?.rootpage;
  catalog.close();
  const at = 4096 * ((page ?? 0) - 1);
  const bytes = readFileSync(path);
  // The offset of the page's only cell, which begins with its length (https://sqlite.org/fileformat.html, 1.6).
  const cell = at + bytes.readUInt16BE(at + 5);
  bytes.writeUInt8(0x7f, cell + 1);
  writeFileSync(path, bytes);
}
