import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import type { Catalog } from "../port/catalog.ts";
import { createUploader, folderAt } from "../suite/catalog.fixture.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createTestFolders } from "./test-folders.fixture.ts";

const testFolders = createTestFolders();
let path: string;
let catalog: Catalog;

beforeEach(async () => {
  path = join(testFolders.folder(), "catalog.sqlite");
  catalog = await openSqliteCatalog({ path, exclusive: false });
  await createUploader(catalog).add(["one", "two"], { folder: "a/b/c" });
});
afterEach(() => catalog.close());

/** Writes to the file what the catalog would refuse. */
function tamper(...statements: string[]): void {
  const database = new Database(path);
  database.run("PRAGMA foreign_keys = OFF");
  for (const statement of statements) database.run(statement);
  database.close();
}

const problems = async () =>
  (await Array.fromAsync(catalog.inspect())).map(({ problem, id, detail }) => [
    problem,
    id,
    detail,
  ]);

test("finds a key that does not match parent and name, and the keys below", async () => {
  const [b, c] = [await folderAt(catalog, "a/b"), await folderAt(catalog, "a/b/c")];
  tamper(`UPDATE folders SET key = 'a/x' WHERE id = '${b.id}'`);
  expect(await problems()).toEqual([
    ["folder-key", b.id, 'the folder has the key "a/x", but its name and parent give "a/b"'],
    ["folder-key", c.id, 'the folder has the key "a/b/c", but its name and parent give "a/x/c"'],
  ]);
});

test("finds a cycle of folders", async () => {
  const [b, c] = [await folderAt(catalog, "a/b"), await folderAt(catalog, "a/b/c")];
  tamper(`UPDATE folders SET parent_id = '${c.id}' WHERE id = '${b.id}'`);
  expect(await problems()).toEqual([["folder-key", b.id, expect.stringContaining("a/b/c/b")]]);
});

test("finds a folder whose new files would get another visibility than it inherits", async () => {
  const [b, c] = [await folderAt(catalog, "a/b"), await folderAt(catalog, "a/b/c")];
  await catalog.changeFolder(COMMAND_EVERYWHERE, { id: b.id, defaultVisibility: "private" });
  expect(await problems()).toEqual([]);
  tamper(`UPDATE folders SET inherited_visibility = NULL WHERE id = '${c.id}'`);
  expect(await problems()).toEqual([
    [
      "folder-visibility",
      c.id,
      'new files of the folder "a/b/c" do not get the default visibility "private" that it inherits',
    ],
  ]);
});

test("finds a folder or file without a parent", async () => {
  const [b, c] = [await folderAt(catalog, "a/b"), await folderAt(catalog, "a/b/c")];
  tamper(`DELETE FROM folders WHERE id = '${b.id}'`);
  expect(await problems()).toEqual([["no-parent", c.id, expect.stringContaining(b.id)]]);
  tamper(`DELETE FROM folders WHERE id = '${c.id}'`);
  const found = await problems();
  expect(found.map(([problem]) => problem)).toEqual(["no-folder", "no-folder"]);
  expect(found.map(([, , detail]) => detail).sort()).toEqual([
    `the file "one" is in ${c.id}, which does not exist`,
    `the file "two" is in ${c.id}, which does not exist`,
  ]);
});

test("finds a file and a folder of the same name", async () => {
  const [b, c] = [await folderAt(catalog, "a/b"), await folderAt(catalog, "a/b/c")];
  tamper(`UPDATE files SET folder_id = '${b.id}', name = 'c' WHERE name = 'one'`);
  const [found] = await problems();
  expect(found?.[0]).toBe("same-name");
  expect(found?.[2]).toBe(`"a/b/c" is both a file and a folder (${c.id})`);
});

test("finds a file whose blob is condemned", async () => {
  tamper("INSERT INTO condemned SELECT blob_id, 0 FROM files WHERE name = 'one'");
  expect((await problems()).map(([problem]) => problem)).toEqual(["condemned"]);
});

test("finds what is in the trash without a deletion, and the other way round", async () => {
  const b = await folderAt(catalog, "a/b");
  await catalog.trashFolder(COMMAND_EVERYWHERE, { id: b.id, keepMs: 1000 });
  tamper("DELETE FROM trash_items");
  expect(await problems()).toEqual([["trash", b.id, expect.stringContaining("no deletion")]]);
  tamper(
    "INSERT INTO trash_items SELECT 'other', undo_id, 'file', 'lost', '', 1, 1 FROM trash_deletions",
    `INSERT INTO trash_items SELECT '${b.id}', undo_id, 'folder', 'a/b', '', 1, 1 FROM trash_deletions`,
  );
  expect(await problems()).toEqual([["trash", "other", expect.stringContaining('"lost"')]]);
});

test("finds a version without its file, and one whose blob is condemned", async () => {
  const wanted = { folder: "a/b/c", onConflict: "replace", keepReplacedMs: 1000 } as const;
  await createUploader(catalog, "again").add(["one"], wanted);
  tamper("INSERT INTO condemned SELECT blob_id, 0 FROM versions");
  expect((await problems()).map(([problem]) => problem)).toEqual(["condemned"]);
  tamper("DELETE FROM condemned", "UPDATE versions SET file_id = 'nobody'");
  expect(await problems()).toEqual([["version", expect.any(String), expect.any(String)]]);
});

test("finds a missing root, a wrong root and a second root", async () => {
  tamper("UPDATE folders SET name = 'root' WHERE parent_id IS NULL");
  expect((await problems()).map(([problem]) => problem)).toEqual(["root"]);
  tamper(
    "UPDATE folders SET name = '' WHERE parent_id IS NULL",
    `INSERT INTO folders (id, parent_id, name, key, created_at, updated_at)
      VALUES ('second', NULL, 'second', 'second', 0, 0)`,
  );
  expect((await problems()).map(([problem, id]) => [problem, id])).toEqual([["root", "second"]]);
  tamper("DELETE FROM folders WHERE id = 'second'");
  expect(await problems()).toEqual([]);
});

test("finds an index that has lost an entry", async () => {
  const names = Array.from({ length: 500 }, (_, n) => `file ${n}`);
  await createUploader(catalog).add(names, { folder: "many" });
  await catalog.close();
  tamper("PRAGMA wal_checkpoint(TRUNCATE)");
  const database = new Database(path);
  const { rootpage } = database
    .query<{ rootpage: number }, []>(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'files_size_id_walk'",
    )
    .get() ?? { rootpage: 0 };
  const { page_size } = database.query<{ page_size: number }, []>("PRAGMA page_size").get() ?? {
    page_size: 0,
  };
  database.close();
  const bytes = readFileSync(path);
  // The number of cells of that index's root, one less.
  const cells = (rootpage - 1) * page_size + 3;
  bytes.writeUInt16BE(bytes.readUInt16BE(cells) - 1, cells);
  writeFileSync(path, bytes);
  catalog = await openSqliteCatalog({ path, exclusive: false });
  const found = await problems();
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found.map(([problem]) => problem))).toEqual(new Set(["storage"]));
});
