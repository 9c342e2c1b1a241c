import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createCommitCounter } from "./commit-counter.ts";
import { openConnection } from "./connection.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createTestFolders } from "./test-folders.fixture.ts";

const testFolders = createTestFolders();

/**
 * What another process may do to the file, and whether that must change the generation. Where the log
 * restarts, it may or may not.
 */
const operations = {
  commit: { sql: ["UPDATE t SET a = a + 1"], changes: true },
  "large commit": {
    sql: [
      "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) SELECT i FROM n",
    ],
    changes: true,
  },
  "rolled back": { sql: ["BEGIN IMMEDIATE", "UPDATE t SET a = 0", "ROLLBACK"], changes: undefined },
  read: { sql: ["SELECT count(*) FROM t"], changes: false },
  passive: { sql: ["PRAGMA wal_checkpoint(PASSIVE)"], changes: undefined },
  truncate: { sql: ["PRAGMA wal_checkpoint(TRUNCATE)"], changes: undefined },
} as const;
type Operation = keyof typeof operations;
const anyOperation = fc.constantFrom(...(Object.keys(operations) as Operation[]));

test("changes with every commit, and not with a read", () => {
  const path = join(testFolders.folder(), "catalog.sqlite");
  const writer = new Database(path);
  writer.run("PRAGMA journal_mode = WAL");
  writer.run("CREATE TABLE t (a)");
  writer.run("INSERT INTO t VALUES (1)");
  const reader = openConnection(path);
  const commits = createCommitCounter(reader);
  const version = () => reader.first<{ data_version: number }>("PRAGMA data_version", []);
  fc.assert(
    fc.property(fc.array(anyOperation, { minLength: 1, maxLength: 20 }), (sequence) => {
      for (const each of sequence) {
        const before = { own: commits.generation(), sqlites: version()?.data_version };
        for (const sql of operations[each].sql) writer.run(sql);
        const after = { own: commits.generation(), sqlites: version()?.data_version };
        const { changes } = operations[each];
        if (changes !== undefined) expect(after.own !== before.own).toBe(changes);
        if (after.sqlites !== before.sqlites) expect(after.own).not.toBe(before.own);
        expect(commits.generation()).toBe(after.own);
      }
    }),
  );
  reader.close();
  writer.close();
  commits.close();
});

test("detects commits through a symbolic link, whatever is next to the link", () => {
  const [place, elsewhere] = [testFolders.folder(), testFolders.folder()];
  const writer = new Database(join(elsewhere, "moved.sqlite"));
  writer.run("PRAGMA journal_mode = WAL");
  writer.run("CREATE TABLE t (a)");
  const path = join(place, "catalog.sqlite");
  symlinkSync(join(elsewhere, "moved.sqlite"), path);
  for (const left of ["nothing", "an old index"]) {
    if (left !== "nothing") copyFileSync(join(elsewhere, "moved.sqlite-shm"), `${path}-shm`);
    const reader = openConnection(path);
    const commits = createCommitCounter(reader);
    const before = commits.generation();
    writer.run("INSERT INTO t VALUES (1)");
    expect(commits.generation()).not.toBe(before);
    reader.close();
    commits.close();
  }
  writer.close();
});

/** Another process with its own connection, which runs one line of SQL at a time. */
function startProgram(path: string) {
  const script = `
    const db = new (require("bun:sqlite").Database)(process.argv[1]);
    for await (const line of console) { db.run(line); console.log("done"); }
  `;
  const child = Bun.spawn([process.execPath, "-e", script, path], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = child.stdout.getReader();
  return {
    async run(sql: string): Promise<void> {
      child.stdin.write(`${sql}\n`);
      await child.stdin.flush();
      expect((await output.read()).done).toBe(false);
    },
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

test("detects commits of other processes, also after one was killed", async () => {
  const path = join(testFolders.folder(), "catalog.sqlite");
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  const reader = openConnection(path);
  const commits = createCommitCounter(reader);
  let seen = commits.generation();
  for (let turn = 0; turn < 5; turn += 1) {
    const program = startProgram(path);
    for (let count = 0; count < 10; count += 1) {
      await program.run(`INSERT OR REPLACE INTO settings VALUES ('a', '${count}')`);
      expect(commits.generation()).not.toBe(seen);
      seen = commits.generation();
    }
    await program.run("BEGIN IMMEDIATE");
    await program.run("UPDATE settings SET value = 'never'");
    await program.kill();
    expect(commits.generation()).toBe(seen);
    await catalog.putSetting("b", `${turn}`);
    expect(commits.generation()).not.toBe(seen);
    seen = commits.generation();
  }
  reader.close();
  await catalog.close();
  commits.close();
});

test("a look at a clock that is trusted commits nothing, so record caches stay", async () => {
  const path = join(testFolders.folder(), "catalog.sqlite");
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  await catalog.observeClock(null);
  const reader = openConnection(path);
  const commits = createCommitCounter(reader);
  const before = commits.generation();
  for (let look = 0; look < 3; look += 1) await catalog.observeClock(null);
  expect(commits.generation()).toBe(before);
  reader.close();
  await catalog.close();
  commits.close();
});
