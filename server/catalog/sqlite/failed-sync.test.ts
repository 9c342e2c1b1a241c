import { expect, test } from "bun:test";
import { join } from "node:path";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";
import { allKeys } from "../suite/bed.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createWorkshop } from "./workshop.fixture.ts";

const workshop = createWorkshop();

const canTrace = !isMissing(
  "strace, allowed to trace",
  Bun.spawnSync(["sh", "-c", "strace -f -e trace=none true"], {
    stdout: "ignore",
    stderr: "ignore",
  }).success,
);

const BROKEN = "The catalog's writer has broken down";

/** Runs a task on a new catalog with these fsyncs of a thread failing; answers with what it says. */
async function runFailing(task: string, path: string, which: string, name = ""): Promise<string> {
  await (await openSqliteCatalog({ path, exclusive: true })).close();
  const child = workshop.start(task, path, name, [
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
  "a change that was refused because an fsync failed does not come back to life in a crash",
  async () => {
    const path = join(workshop.folder(), "catalog.sqlite");
    const refused = Number(await runFailing("add until refused", path, "4"));
    expect(refused).toBeGreaterThan(0);
    expect(await keysIn(path)).toEqual(Array.from({ length: refused }, (_, index) => `${index}`));
  },
  30_000,
);

for (const name of ["server", "command"]) {
  test.skipIf(!canTrace)(
    `once no fsync succeeds, nothing more is written (${name})`,
    async () => {
      const path = join(workshop.folder(), "catalog.sqlite");
      const told: string[] = JSON.parse(await runFailing("add until broken", path, "4+", name));
      expect(told.splice(0, told.length - 2)).toEqual(
        name === "server" ? [expect.stringContaining(`fatal: ${BROKEN}`)] : [],
      );
      // Neither kept nor refused: it is not known, which is what "unavailable" says.
      for (const outcome of told) expect(outcome).toContain(`Fault: ${BROKEN}`);
      const keys = await keysIn(path);
      expect(keys).toEqual(keys.map((_, index) => `${index}`));
    },
    30_000,
  );
}

test.skipIf(!canTrace)(
  "nor does one that was refused because the log's index could not grow",
  async () => {
    const path = join(workshop.folder(), "catalog.sqlite");
    await (await openSqliteCatalog({ path, exclusive: true })).close();
    // The index begins with eight writes, at the check of the file and at its opening.
    const child = workshop.start("grow until refused", path, "", [
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
  60_000,
);
