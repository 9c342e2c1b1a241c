import { afterEach, beforeEach, expect, test } from "bun:test";
import { parseKey } from "../../rules/name.ts";
import type { Catalog } from "../port.ts";
import { allKeys, createUploader, expectFault } from "../suite/bed.ts";
import { type Cutter, createCutter } from "./cutter.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer } from "./server.fixture.ts";

let cutter: Cutter;
let catalog: Catalog;

beforeEach(async () => {
  cutter = await createCutter(await (await postgresServer()).fresh());
  catalog = await openPostgresCatalog({ url: cutter.url });
});
afterEach(async () => {
  await catalog.close();
  cutter.close();
});

test("a commit that did not reach the server is made once more", async () => {
  const uploader = createUploader(catalog);
  await uploader.addOne("first");
  cutter.cutCommit("before the server");
  const file = await uploader.addOne("second");
  expect(await catalog.fileById(file.id)).toEqual(file);
  cutter.cutCommit("before the server");
  const folder = await catalog.createFolder(parseKey("a/b"));
  expect(await catalog.folderById(folder.id)).toEqual(folder);
  expect(await allKeys(catalog)).toEqual(["first", "second"]);
});

test("files whose commit was made are answered for, though the answer got lost", async () => {
  const uploader = createUploader(catalog);
  await uploader.addOne("first");
  cutter.cutCommit("after the server");
  const files = await uploader.add(["b", "c"], { folder: "new" });
  for (const file of files) expect(await catalog.fileById(file.id)).toEqual(file);
  cutter.cutCommit("after the server");
  const replaced = await uploader.addOne("b", { folder: "new", onConflict: "replace" });
  expect(await catalog.fileById(replaced.id)).toEqual(replaced);
  expect(await allKeys(catalog)).toEqual(["first", "new/b", "new/c"]);
});

test("another change that nobody can tell the outcome of is neither refused nor made twice", async () => {
  cutter.cutCommit("after the server");
  await expectFault(catalog.createFolder(parseKey("a")), "unavailable");
  expect(await catalog.folderByKey(parseKey("a"))).toBeDefined();
  cutter.cutCommit("after the server");
  await expectFault(catalog.createFolder(parseKey("b/c")), "unavailable");
  await expectFault(catalog.createFolder(parseKey("b/c")), "conflict");
});
