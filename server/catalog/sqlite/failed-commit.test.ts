import { expect, test } from "bun:test";
import { join } from "node:path";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";
import { allKeys } from "../suite/catalog.fixture.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createTestFolders } from "./test-folders.fixture.ts";

/* Commits whose fsync fails, which a tracer injects. */

const testFolders = createTestFolders();
const canTrace = !isMissing(
  "strace, allowed to trace",
  Bun.spawnSync(["sh", "-c", "strace -f -e trace=none true"], {
    stdout: "ignore",
    stderr: "ignore",
  }).success,
);

test.skipIf(!canTrace)(
  "a commit whose fsync failed is answered as failed, and the next commit overwrites it",
  async () => {
    const path = join(testFolders.folder(), "catalog.sqlite");
    await (await openSqliteCatalog({ path, exclusive: true })).close();
    const child = join(import.meta.dir, "child.fixture.ts");
    const failing = "inject=fdatasync,fsync:error=EIO:when=9+5";
    const tracer = Bun.spawn(
      ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync", "-e", failing]
        .concat("-P", `${path}-wal`)
        .concat(process.execPath, child, "add and die", path),
      { stdout: "pipe", stderr: "inherit" },
    );
    const answers = (await new Response(tracer.stdout).text()).trim().split("\n");
    await tracer.exited;
    const keysOf = (outcome: string, lines = answers): string[] =>
      lines.flatMap((line) => (line.startsWith(`${outcome} `) ? [line.split(" ")[1] ?? ""] : []));
    expect(keysOf("added").length).toBeGreaterThan(100);
    expect(keysOf("unavailable").length).toBeGreaterThan(10);
    expect(keysOf("added").length + keysOf("unavailable").length).toBe(answers.length);

    const catalog = await openSqliteCatalog({ path, exclusive: true });
    const keys = new Set(await allKeys(catalog));
    await catalog.close();
    expect(keysOf("added").filter((key) => !keys.has(key))).toEqual([]);
    const last = answers.findLastIndex((line) => line.startsWith("added "));
    expect(keysOf("unavailable", answers.slice(0, last)).filter((key) => keys.has(key))).toEqual(
      [],
    );
  },
);
