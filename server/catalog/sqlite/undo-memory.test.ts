import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { undoing } from "../suite/undo.fixture.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createTestFolders } from "./test-folders.fixture.ts";

const testFolders = createTestFolders();

const CHANGES = 80_000;
/** The number of characters that each change keeps for its undo. */
const KEPT = 4000;

/** The memory of this process, in bytes: now (VmRSS), or at most so far (VmHWM). */
function memory(field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return 1024 * Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]);
}

test.skipIf(process.platform !== "linux")(
  "an undo does not hold everything that its changes keep at once",
  async () => {
    const path = join(testFolders.folder(), "catalog.sqlite");
    const catalog = await openSqliteCatalog({ path, exclusive: false });
    const database = new Database(path);
    database.run(
      `insert into undo_steps (id, at, actor_id, kind, subject_id, data)
      with recursive numbers (n) as (values (1) union all select n + 1 from numbers limit ${CHANGES})
      select printf('019c12a5-b1c8-%012d', n), 1000, 'agent', 'file', printf('f%d', n), ? from numbers`,
      [JSON.stringify({ before: { metadata: "m".repeat(KEPT) }, after: { metadata: null } })],
    );
    database.close();
    Bun.gc(true);
    const before = memory("VmRSS");
    // Resets the peak.
    writeFileSync("/proc/self/clear_refs", "5");
    expect((await undoing(catalog).undo()).total).toBe(0);
    expect(memory("VmHWM") - before).toBeLessThan(CHANGES * KEPT);
    await catalog.close();
  },
  60_000,
);
