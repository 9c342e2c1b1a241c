import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { migrate } from "../migrations/migrate.ts";
import { allKeys, createUploader } from "../suite/catalog.fixture.ts";
import { configureForWriting } from "./configure.ts";
import { openConnection } from "./connection.ts";
import { lockFolder } from "./folder-lock.ts";
import { createKysely } from "./kysely.ts";
import { types } from "./prepare-file.ts";
import { takeSnapshot } from "./snapshots.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createTestFolders, firstOutput } from "./test-folders.fixture.ts";

const testFolders = createTestFolders();

test("commands write next to a running server, and both see all changes", async () => {
  const path = join(testFolders.folder(), "catalog.sqlite");
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  const uploader = createUploader(catalog);
  const commands = ["x", "y"].map((name) => testFolders.start("add some", path, name));
  let stop = false;
  let added = 0;
  const serve = (async () => {
    while (!stop) {
      await uploader.add([`${added}`]);
      added += 1;
    }
  })();
  expect(await Promise.all(commands.map(({ exited }) => exited))).toEqual([0, 0]);
  stop = true;
  await serve;
  for (const name of ["x/0", "x/99", "y/99"]) {
    expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(name))).toBeDefined();
  }
  expect((await allKeys(catalog)).length).toBe(added);
  await catalog.close();
});

/** Whether this process has a lock on the file, as the system sees it. */
function isLocked(path: string): boolean {
  const { ino } = statSync(path);
  const mine = new RegExp(`^\\d+: POSIX +ADVISORY +READ +${process.pid} \\S+:${ino} `, "m");
  return mine.test(readFileSync("/proc/locks", "utf8"));
}

// A process that finds no lock takes itself for the last one and removes the WAL that others still write.
for (const exclusive of [true, false]) {
  test.skipIf(isMissing("/proc/locks", existsSync("/proc/locks")))(
    `an open catalog stays locked against other programs (${exclusive ? "server" : "command"})`,
    async () => {
      const folder = testFolders.folder();
      const path = join(folder, "catalog.sqlite");
      const catalog = await openSqliteCatalog({ path, exclusive });
      await createUploader(catalog).add(["a"]);
      // Looks at the log's index.
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("a"))).toBeDefined();
      for (const file of [path, `${path}-shm`]) expect(isLocked(file)).toBe(true);
      await takeSnapshot(path, join(folder, "copy"));
      for (const file of [path, `${path}-shm`]) expect(isLocked(file)).toBe(true);
      await catalog.close();
      expect(isLocked(path)).toBe(false);
    },
  );
}

test("several processes may create the file at once", async () => {
  for (let round = 0; round < 3; round += 1) {
    const path = join(testFolders.folder(), "catalog.sqlite");
    const commands = ["x", "y", "z"].map((name) => testFolders.start("add some", path, name));
    expect(await Promise.all(commands.map(({ exited }) => exited))).toEqual([0, 0, 0]);
    const catalog = await openSqliteCatalog({ path, exclusive: false });
    const root = await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(""));
    const top = (
      await Array.fromAsync(catalog.listFolders(COMMAND_EVERYWHERE, root?.id ?? ""))
    ).flat();
    expect(top.map(({ name }) => `${name}`)).toEqual(["x", "y", "z"]);
    await catalog.close();
  }
});

test("several processes may create one file at the same moment", async () => {
  const start = `${Date.now() + 1000}`;
  const folder = testFolders.folder();
  const children = Array.from({ length: 4 }, () =>
    testFolders.start("open together", folder, start),
  );
  expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
});

test("answered changes survive SIGKILL, and changes are atomic", async () => {
  for (const killAfterMs of [300, 50, 120]) {
    const path = join(testFolders.folder(), "catalog.sqlite");
    const child = testFolders.start("add forever", path);
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of child.stdout) {
      if (text === "") setTimeout(() => child.kill("SIGKILL"), killAfterMs);
      text += decoder.decode(chunk, { stream: true });
    }
    // The last line may have been cut off.
    const answered = text.split("\n").slice(0, -1);
    expect(answered.length).toBeGreaterThan(0);
    const catalog = await openSqliteCatalog({ path, exclusive: true });
    const keys = new Set(await allKeys(catalog));
    for (const folder of answered) {
      for (const name of ["a", "b", "c"]) expect(keys.has(`${folder}/${name}`)).toBe(true);
    }
    const folders = new Set([...keys].map((key) => key.slice(0, key.lastIndexOf("/"))));
    expect(keys.size).toBe(folders.size * 3);
    expect((await catalog.releaseExpiredLeases()).length).toBeGreaterThanOrEqual(16);
    await catalog.close();
  }
});

test("a command of a newer version does not migrate a catalog that a server has open", async () => {
  const folder = testFolders.folder();
  const path = join(folder, "catalog.sqlite");
  const older = openConnection(path);
  await configureForWriting(older);
  await migrate(createKysely(older), types, 3);
  older.close();
  const server = testFolders.start("lock", folder);
  await firstOutput(server.stdout);

  const open = () => openSqliteCatalog({ path, exclusive: false });
  await expect(open()).rejects.toThrow("Stop it first");
  expect(versionsOf(path)).toEqual([1, 2, 3]);

  server.kill("SIGKILL");
  await server.exited;
  await (await open()).close();
  expect(versionsOf(path)).toContain(4);
  expect(() => lockFolder(folder).release()).not.toThrow();
});

function versionsOf(path: string): number[] {
  const database = new Database(path, { readonly: true });
  const rows = database.query<{ version: number }, []>("SELECT version FROM migrations").all();
  database.close();
  return rows.map(({ version }) => version).sort();
}
