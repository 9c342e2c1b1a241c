import { afterAll, beforeAll, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { Key } from "../../domain/records.ts";
import type { Catalog } from "../port/catalog.ts";
import { createUploader, folderAt } from "../suite/catalog.fixture.ts";
import { newLink } from "../suite/links.fixture.ts";
import { createUploads } from "../suite/uploads.fixture.ts";
import { holdFolder } from "./hold.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer } from "./server.fixture.ts";

/*
 * A change that has found its file or a free name waits for a lock, and meanwhile another one takes the key over. Each
 * does what it would do after the other one.
 */

let url: string;
let catalog: Catalog;
let other: Catalog;
beforeAll(async () => {
  url = await (await postgresServer()).fresh();
  catalog = await openPostgresCatalog({ url });
  other = await openPostgresCatalog({ url });
});
afterAll(async () => {
  await catalog.close();
  await other.close();
});

/** Longer than a change takes until it waits for a lock. */
const QUEUED_MS = 300;

/** Starts both while a third client has the folder locked, so that the second waits behind the first. */
async function oneBehindOther<First, Second>(
  folder: string,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  const end = await holdFolder(url, folder);
  const queued = [first()] as const;
  await Bun.sleep(QUEUED_MS);
  const both = Promise.all([...queued, second()]);
  // It is awaited below.
  both.catch(() => {});
  await Bun.sleep(QUEUED_MS);
  await end();
  return await both;
}

const visibility = "private";
const CHANGES: Readonly<Record<string, (key: Key) => Promise<unknown>>> = {
  changeFile: (key) => catalog.changeFile(COMMAND_EVERYWHERE, { id: { key }, visibility }),
  changeFiles: (key) => catalog.changeFiles(COMMAND_EVERYWHERE, { ids: [{ key }], visibility }),
  removeFiles: (key) => catalog.removeFiles(COMMAND_EVERYWHERE, [{ key }]),
  trashFiles: (key) =>
    catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [{ key }], keepMs: 86_400_000 }),
};

test.each(Object.entries(CHANGES))(
  "%s changes the file that took the key over",
  async (name, change) => {
    const uploader = createUploader(catalog);
    const { key } = await uploader.addOne("target", { folder: name });
    const { id } = await uploader.addOne("fresh", { folder: name });
    await oneBehindOther(
      name,
      () =>
        other.changeFile(COMMAND_EVERYWHERE, {
          id,
          name: parseName("target"),
          onConflict: "replace",
        }),
      () => change(key),
    );
    const found = await catalog.fileByKey(COMMAND_EVERYWHERE, key);
    if (name.startsWith("change")) expect(found).toMatchObject({ id, visibility });
    else expect(found).toBeUndefined();
  },
);

test("a copy of a folder gets a free name although a file took the first one", async () => {
  const uploader = createUploader(catalog);
  const { blobId } = await uploader.addOne("x", { folder: "copies/from" });
  await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("copies/to"));
  const blobs = [{ from: blobId, to: await uploader.takeBlob() }];
  const parentId = (await folderAt(catalog, "copies/to")).id;
  const [, outcome] = await oneBehindOther(
    "copies/to",
    () => createUploader(other, "the other").addOne("from", { folder: "copies/to" }),
    () =>
      catalog.copyFolder(COMMAND_EVERYWHERE, {
        id: { key: parseKey("copies/from") },
        parentId,
        blobs,
        owner: uploader.owner,
        onConflict: "keepBoth",
        keepReplacedMs: undefined,
      }),
  );
  expect(outcome).toMatchObject({ copied: { folder: { key: "copies/to/from (2)" } } });
});

test("what a visitor sends gets a free name although a file took the first one", async () => {
  const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("drops"));
  const link = { ...newLink({ kind: "folder", id }), kind: "drop" } as const;
  await catalog.addLink(link);
  const uploads = createUploads(catalog);
  const maker = { kind: "link", id: link.id, name: "" } as const;
  const visitor = { client: "Ann's", passwordVersion: link.passwordVersion };
  const batch = await uploads.addBatch({ maker, folder: parseKey("drops/Ann") }, { visitor });
  await uploads.seal(batch, ["f"]);
  await oneBehindOther(
    "drops",
    () => createUploader(other, "a third").addOne("Ann", { folder: "drops" }),
    () => uploads.commitBatch(batch),
  );
  expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("drops/Ann (2)/f"))).toBeDefined();
});
