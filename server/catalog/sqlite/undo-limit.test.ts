import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { expectFault } from "../suite/catalog.fixture.ts";
import { undoing } from "../suite/undo.fixture.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createTestFolders } from "./test-folders.fixture.ts";

const testFolders = createTestFolders();

/** Stores more changes of the agent than an undo takes back. */
function addSteps(path: string, data: object): void {
  const database = new Database(path);
  database.run(
    `insert into undo_steps (id, at, actor_id, kind, subject_id, data)
    with recursive numbers (n) as (values (1) union all select n + 1 from numbers limit 200001)
    select printf('019c12a5-b1c8-%012d', n), 1000, 'agent', 'file', 'f', ? from numbers`,
    [JSON.stringify(data)],
  );
  database.close();
}

test("an undo of too many changes is refused, but those that an undo has cancelled do not count", async () => {
  const change = { before: { name: "a" }, after: { name: "b" } };
  const open = async () => {
    const path = join(testFolders.folder(), "catalog.sqlite");
    return { path, catalog: await openSqliteCatalog({ path, exclusive: false }) };
  };
  const cancelled = await open();
  addSteps(cancelled.path, { ...change, takesBack: { at: 900, by: "agent" } });
  expect(await undoing(cancelled.catalog).undo()).toMatchObject({ total: 0, conflicts: [] });
  await cancelled.catalog.close();
  const others = await open();
  addSteps(others.path, change);
  await expectFault(undoing(others.catalog).undo(), "too_large");
  await others.catalog.close();
}, 60_000);
