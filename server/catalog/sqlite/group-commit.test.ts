import { expect, test } from "bun:test";
import { join } from "node:path";
import { createUploader } from "../suite/catalog.fixture.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createTestFolders } from "./test-folders.fixture.ts";

const testFolders = createTestFolders();

/** Counts the commits in a write-ahead log: the frames with the size of the file. */
async function countCommits(log: string): Promise<number> {
  const data = new DataView(await Bun.file(log).arrayBuffer());
  const pageSize = data.getUint32(8);
  const salt = data.getUint32(16);
  let commits = 0;
  for (let frame = 32; frame + 24 + pageSize <= data.byteLength; frame += 24 + pageSize) {
    if (data.getUint32(frame + 8) === salt && data.getUint32(frame + 4) > 0) commits += 1;
  }
  return commits;
}

test("changes that wait at the same time share a commit", async () => {
  const path = join(testFolders.folder(), "catalog.sqlite");
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  const uploader = createUploader(catalog);
  await uploader.add(["first"]);
  const start = await countCommits(`${path}-wal`);
  for (const name of ["1", "2", "3"]) await uploader.add([name]);
  expect((await countCommits(`${path}-wal`)) - start).toBe(3);
  await Promise.all(Array.from({ length: 120 }, (_, index) => uploader.add([`x${index}`])));
  expect((await countCommits(`${path}-wal`)) - start).toBeLessThan(30);
  await catalog.close();
});
