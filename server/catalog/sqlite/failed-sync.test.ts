import { expect, test } from "bun:test";
import { join } from "node:path";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";
import { allKeys } from "../suite/catalog.fixture.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createTestFolders } from "./test-folders.fixture.ts";

const testFolders = createTestFolders();

const canTrace = !isMissing(
  "strace, allowed to trace",
  Bun.spawnSync(["sh", "-c", "strace -f -e trace=none true"], {
    stdout: "ignore",
    stderr: "ignore",
  }).success,
);

const BROKEN = "The catalog's writer has broken down";

/** Runs a task on a new catalog while the fsyncs `which` of a thread fail. Returns its output. */
async function runFailing(task: string, path: string, which: string, name = ""): Promise<string> {
  await (await openSqliteCatalog({ path, exclusive: true })).close();
  const child = testFolders.start(task, path, name, [
    ...["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-P", `${path}-wal`],
    ...["-e", "trace=fsync,fdatasync", "-e", `inject=fsync,fdatasync:error=EIO:when=${which}`],
  ]);
  return await new Response(child.stdout).text();
}

async function keysIn(path: string): Promise<string[]> {
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  const keys = await allKeys(catalog);
  await catalog.close();
  return keys;
}

test.skipIf(!canTrace)(
  "recovery from a crash does not apply a change that was refused because an fsync failed",
  async () => {
    const path = join(testFolders.folder(), "catalog.sqlite");
    const refused = Number(await runFailing("add until refused", path, "4"));
    expect(refused).toBeGreaterThan(0);
    expect(await keysIn(path)).toEqual(Array.from({ length: refused }, (_, index) => `${index}`));
  },
);

for (const name of ["server", "command"]) {
  test.skipIf(!canTrace)(`writes nothing more once no fsync succeeds (${name})`, async () => {
    const path = join(testFolders.folder(), "catalog.sqlite");
    const output: string[] = JSON.parse(await runFailing("add until broken", path, "4+", name));
    expect(output.splice(0, output.length - 2)).toEqual(
      name === "server" ? [expect.stringContaining(`fatal: ${BROKEN}`)] : [],
    );
    // "unavailable": it is unknown whether the change was kept.
    for (const outcome of output) expect(outcome).toContain(`Fault: ${BROKEN}`);
    const keys = await keysIn(path);
    expect(keys).toEqual(keys.map((_, index) => `${index}`));
  });
}

test.skipIf(!canTrace)(
  "recovery does not apply a change that was refused because the log's index could not grow",
  async () => {
    const path = join(testFolders.folder(), "catalog.sqlite");
    await (await openSqliteCatalog({ path, exclusive: true })).close();
    // Checking the file and opening it write to the index eight times each.
    const child = testFolders.start("grow until refused", path, "", [
      ...["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-P", `${path}-shm`],
      ...["-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC:when=17"],
    ]);
    const refused = Number(await new Response(child.stdout).text());
    expect(refused).toBeGreaterThan(100);
    const catalog = await openSqliteCatalog({ path, exclusive: true });
    expect(await catalog.setting(`${refused - 1}`)).toBeDefined();
    expect(await catalog.setting(`${refused}`)).toBeUndefined();
    await catalog.close();
  },
);
