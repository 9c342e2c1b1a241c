import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { watchCommits } from "./commits.ts";
import { openConnection } from "./connection.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createWorkshop } from "./workshop.fixture.ts";

const workshop = createWorkshop();

/**
 * What another program may do to the file, and whether it tells. Where the log is begun anew it may
 * or may not.
 */
const deeds = {
  commit: { sql: ["UPDATE t SET a = a + 1"], tells: true },
  "large commit": {
    sql: [
      "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) SELECT i FROM n",
    ],
    tells: true,
  },
  "rolled back": { sql: ["BEGIN IMMEDIATE", "UPDATE t SET a = 0", "ROLLBACK"], tells: undefined },
  read: { sql: ["SELECT count(*) FROM t"], tells: false },
  passive: { sql: ["PRAGMA wal_checkpoint(PASSIVE)"], tells: undefined },
  truncate: { sql: ["PRAGMA wal_checkpoint(TRUNCATE)"], tells: undefined },
} as const;
type Deed = keyof typeof deeds;
const anyDeed = fc.constantFrom(...(Object.keys(deeds) as Deed[]));

test("the generation changes with every commit, and not with a read", () => {
  const path = join(workshop.folder(), "catalog.sqlite");
  const writer = new Database(path);
  writer.run("PRAGMA journal_mode = WAL");
  writer.run("CREATE TABLE t (a)");
  writer.run("INSERT INTO t VALUES (1)");
  const reader = openConnection(path);
  const commits = watchCommits(reader);
  const version = () => reader.first<{ data_version: number }>("PRAGMA data_version", []);
  fc.assert(
    fc.property(fc.array(anyDeed, { minLength: 1, maxLength: 20 }), (doings) => {
      for (const doing of doings) {
        const before = { own: commits.generation(), sqlites: version()?.data_version };
        for (const sql of deeds[doing].sql) writer.run(sql);
        const after = { own: commits.generation(), sqlites: version()?.data_version };
        const { tells } = deeds[doing];
        if (tells !== undefined) expect(after.own !== before.own).toBe(tells);
        if (after.sqlites !== before.sqlites) expect(after.own).not.toBe(before.own);
        expect(commits.generation()).toBe(after.own);
      }
    }),
  );
  reader.close();
  writer.close();
  commits.close();
});

test("so it does where the catalog is a link to a file elsewhere, whatever lies beside the link", () => {
  const [place, elsewhere] = [workshop.folder(), workshop.folder()];
  const writer = new Database(join(elsewhere, "moved.sqlite"));
  writer.run("PRAGMA journal_mode = WAL");
  writer.run("CREATE TABLE t (a)");
  const path = join(place, "catalog.sqlite");
  symlinkSync(join(elsewhere, "moved.sqlite"), path);
  for (const left of ["nothing", "an old index"]) {
    if (left !== "nothing") copyFileSync(join(elsewhere, "moved.sqlite-shm"), `${path}-shm`);
    const reader = openConnection(path);
    const commits = watchCommits(reader);
    const before = commits.generation();
    writer.run("INSERT INTO t VALUES (1)");
    expect(commits.generation()).not.toBe(before);
    reader.close();
    commits.close();
  }
  writer.close();
});

/** Another process with a connection of its own, a line of SQL at a time. */
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

test("so it does for another process, and for what is there after one that was killed", async () => {
  const path = join(workshop.folder(), "catalog.sqlite");
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  const reader = openConnection(path);
  const commits = watchCommits(reader);
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
