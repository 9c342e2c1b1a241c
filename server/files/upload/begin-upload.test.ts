import { afterEach, beforeEach, expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import { limitedTo } from "../../catalog/suite/catalog.fixture.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { parseKey, parseName, ROOT_KEY } from "../../domain/names/name.ts";
import { chunksOf, MAX_SIZE, openUploadFixture, type UploadFixture } from "./upload.fixture.ts";

let uploads: UploadFixture;
beforeEach(async () => {
  uploads = await openUploadFixture();
});
afterEach(() => uploads.end());

test("an upload stores its files with size, checksum and media type", async () => {
  const content = "x".repeat(200_000);
  const added = await uploads.upload({ "a.txt": content, b: "", "ü.PNG": "png" });
  expect(added.map(({ key, size, checksum }) => `${key} ${size} ${checksum}`)).toEqual([
    `a.txt 200000 ${crc32(content)}`,
    "b 0 0",
    `ü.PNG 3 ${crc32("png")}`,
  ]);
  expect(added.map(({ mimeType }) => mimeType)).toEqual([
    "text/plain",
    "application/octet-stream",
    "image/png",
  ]);
  expect(added.map(({ visibility }) => visibility)).toEqual(["public", "public", "public"]);
  expect(await Promise.all(added.map(uploads.textOf))).toEqual([content, "", "png"]);
  expect(await uploads.fixture.catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("a.txt"))).toEqual(
    added[0],
  );
  await uploads.expectNoLeaks();
});

test("commit puts the files into the folder with the visibility", async () => {
  const [added] = await uploads.upload(
    { a: "content" },
    { folder: parseKey("x/y"), visibility: "private" },
  );
  expect(added).toMatchObject({ key: "x/y/a", visibility: "private" });
});

test("without a folder, commit follows the caller's folder when it is renamed meanwhile", async () => {
  const { catalog } = uploads.fixture;
  const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("old"));
  let renames = 0;
  const beginUpload = uploads.openUpload(0, {
    addFiles: (files) => catalog.addFiles(limitedTo([id]), files),
    async topFolder() {
      const key = (await catalog.folderById(COMMAND_EVERYWHERE, id))?.key;
      if (key === undefined) throw new Error("There is no folder.");
      renames += 1;
      if (renames === 1)
        await catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName("new") });
      return key;
    },
  });
  const session = await beginUpload(0);
  await session.add("a", undefined, chunksOf(Buffer.from("content")));
  const [added] = await session.commit({});
  expect(`${added?.key}`).toBe("new/a");
  await uploads.expectNoLeaks();
});

test("accepts the maximum number and size of files", async () => {
  const content = "x".repeat(MAX_SIZE);
  const added = await uploads.upload({ a: content, b: content, c: content, d: content });
  expect(added.map(({ size }) => size)).toEqual(Array(4).fill(MAX_SIZE));
});

test("concurrent uploads do not mix up their files", async () => {
  const requests = Array.from({ length: 60 }, (_, n) =>
    uploads.upload(
      { [`n${n}`]: `${n} `.repeat(1000), [`n${n}b`]: "content" },
      { folder: parseKey(`f${n % 3}`) },
    ),
  );
  for (const [n, added] of (await Promise.all(requests)).entries()) {
    expect(added.map(({ key }) => `${key}`)).toEqual([`f${n % 3}/n${n}`, `f${n % 3}/n${n}b`]);
    expect(await uploads.textOf(added[0])).toBe(`${n} `.repeat(1000));
  }
  await uploads.expectNoLeaks();
});

test("of 10 concurrent uploads of one name, one succeeds", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      uploads.upload({ same: `${n}` }).then(
        ([added]) => added,
        (error: unknown) => error,
      ),
    ),
  );
  const rejected = outcomes.filter((outcome) => outcome instanceof Fault);
  expect(rejected.map(({ kind }) => kind)).toEqual(Array(9).fill("conflict"));
  expect(await uploads.fixture.stored()).toHaveLength(1);
  await uploads.expectNoLeaks();
});

test("an expected target rejects a taken name before the file is read", async () => {
  await uploads.upload({ taken: "content" });
  const session = await uploads.beginUpload(0);
  await session.add("free", undefined, chunksOf(Buffer.from("content")));
  await session.expectTarget({ folder: ROOT_KEY });
  let isRead = false;
  async function* body(): AsyncGenerator<Uint8Array> {
    isRead = true;
    yield new Uint8Array(1);
  }
  await expect(session.add("taken", undefined, body())).rejects.toMatchObject({ kind: "conflict" });
  expect(isRead).toBe(false);
  await session.abort();
  expect(await uploads.keys()).toEqual(["taken"]);
  await uploads.expectNoLeaks();
});

test("an expected target rejects taken names of files that were already added", async () => {
  await uploads.upload({ taken: "content" });
  const session = await uploads.beginUpload(0);
  await session.add("taken", undefined, chunksOf(Buffer.from("other")));
  await session.expectTarget({ folder: ROOT_KEY, onConflict: "keepBoth" });
  await expect(session.expectTarget({ folder: ROOT_KEY })).rejects.toMatchObject({
    kind: "conflict",
  });
  await session.abort();
  await uploads.expectNoLeaks();
});

test("abort discards the files, and does nothing after a commit or another abort", async () => {
  const aborted = await uploads.beginUpload(0);
  await aborted.add("aborted", undefined, chunksOf(Buffer.from("content")));
  await aborted.abort();
  await aborted.abort();
  expect(await uploads.fixture.stored()).toEqual([]);
  const committed = await uploads.beginUpload(0);
  await committed.add("kept", undefined, chunksOf(Buffer.from("content")));
  const [kept] = await committed.commit({ folder: ROOT_KEY });
  await committed.abort();
  expect(await uploads.textOf(kept)).toBe("content");
  const conflicting = await uploads.beginUpload(0);
  await conflicting.add("kept", undefined, chunksOf(Buffer.from("content")));
  await expect(conflicting.commit({ folder: ROOT_KEY })).rejects.toMatchObject({
    kind: "conflict",
  });
  await conflicting.abort();
  expect(await uploads.fixture.stored()).toHaveLength(1);
  await uploads.expectNoLeaks();
});
