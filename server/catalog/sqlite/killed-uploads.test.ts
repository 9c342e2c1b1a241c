import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { allKeys } from "../suite/catalog.fixture.ts";
import { createUploads } from "../suite/uploads.fixture.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createTestFolders } from "./test-folders.fixture.ts";

const testFolders = createTestFolders();

/** What the child has printed before it was killed. */
async function runUntilKilled(path: string, killAfterMs: number): Promise<string[]> {
  const child = testFolders.start("commit forever", path);
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of child.stdout) {
    if (text === "") setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    text += decoder.decode(chunk, { stream: true });
  }
  // The last line may have been cut off.
  return text.split("\n").slice(0, -1);
}

function batchIds(path: string): string[] {
  const database = new Database(path, { readonly: true });
  const rows = database.query<{ id: string }, []>("SELECT id FROM batches ORDER BY id").all();
  database.close();
  return rows.map(({ id }) => id);
}

test("a killed commit shows all files of a batch or none, and no saved offset is lost", async () => {
  for (const killAfterMs of [60, 150, 400]) {
    const path = join(testFolders.folder(), "catalog.sqlite");
    const [upload = "", ...printed] = await runUntilKilled(path, killAfterMs);
    const saved = Math.max(0, ...printed.map(Number).filter((offset) => !Number.isNaN(offset)));
    const catalog = await openSqliteCatalog({ path, exclusive: true });
    expect((await catalog.uploadById(upload))?.offset).toBeGreaterThanOrEqual(saved);
    const keys = await allKeys(catalog);
    for (const [index, id] of batchIds(path).entries()) {
      const batch = await catalog.batchById(id);
      const files = keys.filter((key) => key.startsWith(`${index}/`)).length;
      if (printed.includes(id)) expect(batch?.state).toBe("committed");
      expect(files).toBe(batch?.state === "committed" ? 200 : 0);
      const members = await catalog.batchMembers(id, 0, 1000);
      expect([0, 200]).toContain(files + members.length);
      if (members.length === 0) continue;
      expect(await createUploads(catalog).commit(id)).toMatchObject({ added: 200 });
    }
    expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
    await catalog.close();
  }
});
