import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName, tryParseName } from "../../domain/names/name.ts";
import type { Catalog } from "../port/catalog.ts";
import { createUploader } from "../suite/catalog.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer } from "./server.fixture.ts";

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openPostgresCatalog({ url: await (await postgresServer()).fresh() });
});
afterAll(() => catalog.close());

test("lookups at the same time find what each finds alone", async () => {
  const uploader = createUploader(catalog);
  const names = ["plain", 'quo"te', "ü\u0308", "日本", "{1,2}", "null", "%00"];
  const files = await uploader.add(names, { folder: "a/b" });
  const other = await uploader.addOne("plain", { folder: "a" });
  const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b/c"));
  const absent = [parseKey("a/b/none"), parseKey("none/plain"), parseKey("b")];
  const keys = [...files.map(({ key }) => key), other.key, ...absent];
  const all = [...files, other];
  for (let repeated = 0; repeated < 20; repeated += 1) {
    const [byKey, byId, folders] = await Promise.all([
      Promise.all(keys.map((key) => catalog.fileByKey(COMMAND_EVERYWHERE, key))),
      Promise.all(all.map(({ id }) => catalog.fileById(COMMAND_EVERYWHERE, id))),
      Promise.all(
        [folder.id, "none", folder.id].map((id) => catalog.folderById(COMMAND_EVERYWHERE, id)),
      ),
    ]);
    expect(byKey).toEqual([...all, undefined, undefined, undefined]);
    expect(byId).toEqual(all);
    expect(folders).toEqual([folder, undefined, folder]);
  }
});

test("no text makes a lookup fail, or those beside it", async () => {
  const file = await createUploader(catalog).addOne("beside", { folder: "texts" });
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\0", "\ud800", "\udc00a", "\\u0000"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 30 }), async (texts) => {
      const found = await Promise.all([
        ...texts.map((id) => catalog.fileById(COMMAND_EVERYWHERE, id)),
        catalog.fileById(COMMAND_EVERYWHERE, file.id),
        ...texts.map((hash) => catalog.sessionByHash(hash)),
      ]);
      expect(found.filter((each) => each !== undefined)).toEqual([file]);
    }),
    { numRuns: 30 },
  );
});

test("files with any names are found together", async () => {
  const name = fc
    .string({ unit: "binary", minLength: 1, maxLength: 40 })
    // New names have no control characters from U+0080 on either.
    .filter((wanted) => tryParseName(wanted) !== undefined && !/[\u0080-\u009f]/.test(wanted));
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(name, { maxLength: 20, selector: parseName }),
      async (names) => {
        run += 1;
        const added = await createUploader(catalog).add(names, { folder: `run ${run}` });
        expect(
          await Promise.all(added.map(({ key }) => catalog.fileByKey(COMMAND_EVERYWHERE, key))),
        ).toEqual(added);
      },
    ),
    { numRuns: 30 },
  );
});
