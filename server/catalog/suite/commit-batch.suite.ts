import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { MetadataText } from "../../domain/records.ts";
import {
  allKeys,
  type CatalogFixture,
  createUploader,
  expectFault,
  folderAt,
  limitedTo,
  tick,
} from "./catalog.fixture.ts";
import { readFeed } from "./feed.suite.ts";
import { readContent, startFeedReader } from "./feed-reader.ts";
import { blobsOf, createUploads, expectCondemned, maker } from "./uploads.fixture.ts";

export function commitBatchSuite(fixture: () => CatalogFixture): void {
  const parts = () => {
    const { catalog } = fixture();
    return { catalog, uploads: createUploads(catalog) };
  };

  describe("committing a batch", () => {
    test("makes all files visible at once, with their folders, in the name of the maker", async () => {
      const { catalog, uploads } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("site/old"));
      const feed = await startFeedReader(catalog);
      const start = await catalog.feedEnd();
      const id = await uploads.addBatch({ visibility: "private" });
      await uploads.seal(id, ["index.html", "css/a/b.css", "old/c", "css/d.css"]);
      await uploads.seal(id, ["public"], {
        visibility: "public",
        metadata: '{"a":1}' as MetadataText,
      });
      const result = await uploads.commit(id);
      expect(result).toMatchObject({ added: 5, replaced: 0, skipped: 0 });
      expect(await allKeys(catalog)).toEqual(
        ["css/a/b.css", "css/d.css", "index.html", "old/c", "public"].map((key) => `site/${key}`),
      );
      expect(
        await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("site/css/a/b.css")),
      ).toMatchObject({
        visibility: "private",
        metadata: null,
        createdAt: result.committedAt,
        size: 5,
      });
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("site/public"))).toMatchObject({
        visibility: "public",
        metadata: '{"a":1}' as MetadataText,
      });
      expect(await feed.read()).toEqual(await readContent(catalog));
      const entries = await readFeed(catalog, start);
      expect(entries.map(({ change }) => change.kind)).toEqual([
        ...["folder.created", "folder.created"],
        ...["file.created", "file.created", "file.created", "file.created", "file.created"],
      ] as (typeof entries)[number]["change"]["kind"][]);
      for (const { actor, at } of entries) {
        expect({ actor, at }).toEqual({ actor: maker, at: result.committedAt });
      }
      await expectCondemned(catalog, []);
      expect(await catalog.batchMembers(id, 0, 10)).toEqual([]);
    });

    test("sent again gives the same answer, also at the same time", async () => {
      const { catalog, uploads } = parts();
      const id = await uploads.addBatch({ onConflict: "keepBoth" });
      await uploads.seal(id, ["a", "b"]);
      const both = await Promise.all([uploads.commitBatch(id), uploads.commitBatch(id)]);
      await tick();
      expect(both.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
      const [one, other] = both.map(({ batch }) => batch);
      expect(one).toEqual(other);
      expect(await catalog.batchById(id)).toEqual(one);
      const first = await uploads.commit(id);
      expect(one?.result).toEqual(first);
      expect(await catalog.batchById(id)).toMatchObject({
        state: "committed",
        files: 2,
        bytes: 10,
        result: first,
      });
      expect(await allKeys(catalog)).toEqual(["site/a", "site/b"]);
    });

    test("with a taken name changes nothing, and succeeds once it is free", async () => {
      const { catalog, uploads } = parts();
      const old = await createUploader(catalog).addOne("b", { folder: "site/sub" });
      const start = await catalog.feedEnd();
      const id = await uploads.addBatch();
      await uploads.seal(id, ["a", "new/x", "sub/b"]);
      const before = await catalog.batchById(id);
      await expectFault(uploads.commit(id), "conflict", '"b"');
      expect(await catalog.batchById(id)).toEqual(before);
      expect(await allKeys(catalog)).toEqual(["site/sub/b"]);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("site/new"))).toBeUndefined();
      expect(await readFeed(catalog, start)).toEqual([]);
      await catalog.removeFiles(COMMAND_EVERYWHERE, [old.id]);
      expect(await uploads.commit(id)).toMatchObject({ added: 3 });
    });

    test("into a folder whose name a file has is a conflict", async () => {
      const { catalog, uploads } = parts();
      await createUploader(catalog).addOne("sub", { folder: "site" });
      for (const onConflict of ["refuse", "replace", "keepBoth", "skip"] as const) {
        const id = await uploads.addBatch({ onConflict });
        await uploads.seal(id, ["x", "sub/deep/y"]);
        await expectFault(uploads.commit(id), "conflict", '"sub"');
      }
      expect(await allKeys(catalog)).toEqual(["site/sub"]);
    });

    test("replaces, skips and keeps both", async () => {
      const { catalog, uploads } = parts();
      const uploader = createUploader(catalog);
      const olds = [
        ...(await uploader.add(["a", "b"], { folder: "site", visibility: "private" })),
        await uploader.addOne("c", { folder: "site/sub", visibility: "private" }),
      ];
      const commit = async (onConflict: "replace" | "skip" | "keepBoth") => {
        const id = await uploads.addBatch({ onConflict });
        const members = await uploads.seal(id, ["a", "sub/c", `sub/${onConflict}`]);
        return { members, result: await uploads.commit(id) };
      };
      const skip = await commit("skip");
      expect(skip.result).toMatchObject({ added: 1, replaced: 0, skipped: 2 });
      await expectCondemned(catalog, blobsOf(skip.members.slice(0, 2)));
      const both = await commit("keepBoth");
      expect(both.result).toMatchObject({ added: 3, replaced: 0, skipped: 0 });
      const feed = await startFeedReader(catalog);
      const replace = await commit("replace");
      expect(replace.result).toMatchObject({ added: 1, replaced: 2, skipped: 0 });
      expect(await feed.read()).toEqual(await readContent(catalog));
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("site/sub/c"))).toMatchObject({
        id: olds[2]?.id,
        visibility: "private",
        blobId: replace.members[1]?.blobId,
      });
      expect(await allKeys(catalog)).toEqual(
        ["a", "a (2)", "b", "sub/c", "sub/c (2)", "sub/keepBoth", "sub/replace", "sub/skip"].map(
          (key) => `site/${key}`,
        ),
      );
      await expectCondemned(
        catalog,
        [...blobsOf(skip.members.slice(0, 2)), olds[0]?.blobId, olds[2]?.blobId].map(Number),
      );
    });

    test("does not replace a folder by a file", async () => {
      const { catalog, uploads } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("site/a"));
      const id = await uploads.addBatch({ onConflict: "replace" });
      await uploads.seal(id, ["a"]);
      await expectFault(uploads.commit(id), "conflict", 'folder named "a"');
    });

    test("happens only inside the folders of the caller", async () => {
      const { catalog, uploads } = parts();
      const site = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("site"));
      const id = await uploads.addBatch({ folder: parseKey("site/new") });
      await uploads.seal(id, ["a/b"]);
      const other = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("other"));
      await expectFault(uploads.commit(id, limitedTo([other.id])), "not_found");
      await expectFault(uploads.commit(id, limitedTo([site.id, other.id])), "not_found");
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: site.id, name: parseName("renamed") });
      await expectFault(uploads.commit(id, limitedTo([site.id])), "not_found");
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: site.id, name: parseName("site") });
      expect(await uploads.commit(id, limitedTo([site.id]))).toMatchObject({ added: 1 });
    });

    test("without members creates nothing", async () => {
      const { catalog, uploads } = parts();
      const result = await uploads.commit(await uploads.addBatch());
      expect(result).toMatchObject({ added: 0, replaced: 0, skipped: 0 });
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("site"))).toBeUndefined();
    });

    test("into the root needs no folder", async () => {
      const { catalog, uploads } = parts();
      const id = await uploads.addBatch({ folder: parseKey("") });
      await uploads.seal(id, ["a", "b/c"]);
      await uploads.commit(id);
      expect(await allKeys(catalog)).toEqual(["a", "b/c"]);
      expect(await folderAt(catalog, "b")).toMatchObject({ key: parseKey("b") });
    });

    test("after it has expired, or of a missing one, is refused", async () => {
      const { uploads } = parts();
      const id = await uploads.addBatch({ expiresAt: Date.now() - 1 });
      await expectFault(uploads.commit(id), "gone");
      await expectFault(uploads.commit("missing"), "not_found");
    });

    test("races with uploads, renames and other batches without losing a file", async () => {
      const { catalog, uploads } = parts();
      const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("site/shared"));
      const ids: string[] = [];
      for (let batch = 0; batch < 4; batch += 1) {
        const id = await uploads.addBatch();
        await uploads.seal(id, [`shared/${batch}`, `own ${batch}/x`, `common/${batch}`]);
        ids.push(id);
      }
      const uploader = createUploader(catalog);
      await Promise.all([
        ...ids.map((id) => uploads.commit(id)),
        ...[1, 2, 3].map((index) => uploader.addOne(`form ${index}`, { folder: "site/shared" })),
        catalog.changeFolder(COMMAND_EVERYWHERE, { id: folder.id, visibility: "private" }),
      ]);
      expect(await allKeys(catalog)).toHaveLength(15);
    });

    test("gives exactly the tree that its paths describe", async () => {
      const name = fc.constantFrom("a", "b", "a0", "a b", "é");
      const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
      const adds = fc.array(fc.array(path, { maxLength: 4 }), { maxLength: 4 });
      let round = 0;
      await fc.assert(
        fc.asyncProperty(adds, async (groups) => {
          const { catalog, uploads } = parts();
          round += 1;
          const folder = `round ${round}`;
          const id = await uploads.addBatch({ folder: parseKey(folder) });
          const model: string[] = [];
          for (const paths of groups) {
            const isAdded = await uploads.seal(id, paths).then(
              () => true,
              () => false,
            );
            expect(isAdded).toBe(isTree([...model, ...paths]));
            if (isAdded) model.push(...paths);
          }
          expect((await uploads.commit(id)).added).toBe(model.length);
          const keys = (await allKeys(catalog)).filter((key) => key.startsWith(`${folder}/`));
          expect(keys).toEqual(model.map((each) => `${folder}/${each}`).sort());
        }),
        { numRuns: 40 },
      );
    });
  });
}

/** Whether no path is there twice, or both a file and a folder. */
function isTree(paths: readonly string[]): boolean {
  const files = new Set(paths);
  return (
    files.size === paths.length &&
    !paths.some((path) => paths.some((other) => other.startsWith(`${path}/`)))
  );
}
