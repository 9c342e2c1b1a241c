import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { api, send } from "./client.ts";
import { eventually, expectFault } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { cannotTrace, whileFailing } from "./strace.fixture.ts";
import { isOnDisk } from "./test-stores.ts";

const LOGGED = /The disk of the catalog has failed: requests that need it get 503/g;

const FAILED =
  /^The disk of the catalog has reported an error \(SQLITE_IOERR_WRITE\)\. Try again later\.$/;
/** SQLite reports a read that the disk refuses like a damaged page. */
const DAMAGED_OR_FAILED =
  /^The disk of the catalog has reported an error, or the catalog is damaged \(SQLITE_CORRUPT: database disk image is malformed\)\. Try again later\.$/;

const filesOf = ({ dataPath }: TestServer): string[] =>
  ["catalog.sqlite", "catalog.sqlite-wal"].map((name) => join(dataPath, name));

function expectUnavailable(answer: Awaited<ReturnType<typeof send>>, message: RegExp): void {
  expectFault(answer, 503, message);
  expect(answer.header("retry-after")).toBe("5");
}

/** A commit of another process: SQLite forgets the pages that it has read, also those that a background job just read. */
function commitBeside({ dataPath }: TestServer): void {
  const database = new Database(join(dataPath, "catalog.sqlite"));
  database.run("pragma busy_timeout = 5000");
  database.run("update api_keys set last_used_at = last_used_at");
  database.close();
}

/** Folders in many pages of the catalog. */
const folders = Array.from({ length: 50 }, (_, at) => `${at}-${"d".repeat(200)}`);

const untilReady = (server: TestServer): Promise<void> =>
  eventually("ready", async () => {
    return (await send(server, "GET", "/api/health/ready")).status === 200;
  });

test.skipIf(cannotTrace || !isOnDisk)(
  "a read of the catalog that the disk refuses is 503, and readiness says so",
  async () => {
    const server = await startServer({ WORKERS: "1" });
    try {
      const a = api(server);
      await Promise.all(folders.map((folder) => a.put(`${folder}/a.txt`, "text")));
      await whileFailing(server.pid, "pread64", filesOf(server), async () => {
        // Readiness of a moment ago may still be remembered, and pages that were read before the disk failed.
        await eventually("it is not ready", async () => {
          const idle = await send(server, "GET", "/api/health/ready");
          if (idle.status === 200) return false;
          expectFault(idle, 503, /^Not ready: the catalog cannot be used; the log says why\.$/);
          return true;
        });
        await eventually("reads are refused", async () => {
          commitBeside(server);
          let refused = 0;
          for (const folder of folders) {
            const answer = await a.get(`/api/folders?key=${folder}`);
            if (answer.status === 200) continue;
            expectUnavailable(answer, DAMAGED_OR_FAILED);
            refused += 1;
          }
          return refused > 0;
        });
      });
      await untilReady(server);
      expect((await a.get(`/api/folders?key=${folders[5]}`)).status).toBe(200);
      expect(server.output().match(LOGGED)).toHaveLength(1);
      expect(server.output()).toContain("(SQLITE_CORRUPT: database disk image is malformed)");
    } finally {
      await server.discard();
    }
  },
);

test.skipIf(cannotTrace || !isOnDisk)(
  "a change that the catalog's disk refuses is 503, and readiness says so",
  async () => {
    const server = await startServer({ WORKERS: "1" });
    try {
      const a = api(server);
      await whileFailing(server.pid, "pwrite64", filesOf(server), async () => {
        const refused = await a.json("POST", "/api/folders", { folder: "new" });
        expectUnavailable(refused, FAILED);
        expectFault(await send(server, "GET", "/api/health/ready"), 503);
      });
      await untilReady(server);
      expect((await a.get("/api/folders?key=new")).status).toBe(404);
      expect((await a.json("POST", "/api/folders", { folder: "new" })).status).toBe(200);
      expect(server.output().match(LOGGED)).toHaveLength(1);
    } finally {
      await server.discard();
    }
  },
);
