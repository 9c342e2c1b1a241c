import { describe, expect, test } from "bun:test";
import { type Caller, COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { DryRun } from "../../domain/dry-run.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { MetadataText } from "../../domain/records.ts";
import {
  type CatalogFixture,
  DAY,
  expectFault,
  folderAt,
  limitedTo,
  listAll,
  tick,
} from "./catalog.fixture.ts";
import { AGENT, by, OTHER, undoing } from "./undo.fixture.ts";

export function undoSuite(fixture: () => CatalogFixture): void {
  function parts() {
    const { catalog, ...others } = undoing(fixture().catalog);
    /** Every file with what an undo brings back, and every folder. */
    const state = async () =>
      (await listAll(catalog))
        .map(({ id, key: place, visibility, metadata, size, blobId }) =>
          [place, id, visibility, metadata, size, blobId].join(" "),
        )
        .toSorted();
    const trash = (caller: Caller, ...ids: string[]) =>
      catalog.trashFiles(caller, { ids, keepMs: DAY });
    return { catalog, ...others, state, trash };
  }

  describe("an undo", () => {
    test("takes back everything that a key did, in the order of time", async () => {
      const { catalog, add, undo, state, trash } = parts();
      const [a, b, c] = [await add("docs/a"), await add("docs/b"), await add("docs/deep/c")];
      const d = await add("other/d");
      const [docs, other] = [await folderAt(catalog, "docs"), await folderAt(catalog, "other")];
      await tick();
      const since = catalog.now();
      const before = await state();
      await add("docs/a", AGENT, 5);
      await tick();
      await add("docs/a", AGENT, 6);
      await tick();
      await catalog.changeFile(AGENT, { id: b.id, name: parseName("z"), visibility: "private" });
      await tick();
      await catalog.changeFile(AGENT, { id: b.id, metadata: { cacheControl: "no-store" } });
      await tick();
      await catalog.changeFile(AGENT, { id: d.id, folderId: docs.id, name: parseName("b") });
      await tick();
      await catalog.changeFolder(AGENT, { id: docs.id, name: parseName("papers") });
      await tick();
      await catalog.changeFolder(AGENT, { id: docs.id, visibility: "private" });
      await tick();
      await catalog.changeFolder(AGENT, { id: docs.id, parentId: other.id });
      await tick();
      await trash(AGENT, a.id, d.id);
      await tick();
      const deep = await folderAt(catalog, "other/papers/deep");
      await catalog.trashFolder(AGENT, { id: deep.id, keepMs: DAY });
      await tick();
      expect(await state()).not.toEqual(before);

      const tried = await undo({ since }, { ...COMMAND_EVERYWHERE, isDryRun: true }).catch(
        (error: unknown) => error,
      );
      if (!(tried instanceof DryRun)) throw tried;
      const changed = await state();
      const undone = await undo({ since });
      expect(undone.conflicts).toEqual([]);
      expect(tried.report.total).toBe(undone.total);
      expect(tried.report.conflicts).toEqual([]);
      expect(changed).not.toEqual(before);
      expect(await state()).toEqual(before);
      expect((await catalog.folderById(COMMAND_EVERYWHERE, docs.id))?.key).toBe(parseKey("docs"));
      expect((await catalog.fileById(COMMAND_EVERYWHERE, c.id))?.key).toBe(parseKey("docs/deep/c"));
      // Again there is nothing to undo.
      expect(await undo({ since })).toMatchObject({ total: 0, conflicts: [] });
    });

    test("frees names before it gives them back, whatever happened between", async () => {
      const { catalog, add, undo, state, trash } = parts();
      const files = [];
      for (const name of ["a", "b", "c", "d", "e"]) files.push(await add(`in/${name}`));
      const [a = "", b = "", c = "", d = "", e = ""] = files.map(({ id }) => id);
      await tick();
      const since = catalog.now();
      const before = await state();
      const rename = async (id: string, name: string) => {
        await catalog.changeFile(AGENT, { id, name: parseName(name) });
        await catalog.changeFile(AGENT, {
          id: e,
          metadata: { cacheControl: `max-age=${name.length}` },
        });
        await tick();
      };
      // Two files swap their names, and a third one takes that of a deleted file.
      await rename(a, "aside");
      await rename(b, "a");
      await add("in/d", AGENT, 3);
      await rename(a, "b");
      await trash(AGENT, c);
      await tick();
      await rename(d, "c");
      await catalog.changeFile(AGENT, { id: a, visibility: "private" });
      await tick();
      await rename(e, "d");
      expect((await undo({ since })).conflicts).toEqual([]);
      expect(await state()).toEqual(before);
    });

    test("brings back metadata and the visibility of replaced files", async () => {
      const { catalog, uploader, undo, state } = parts();
      const metadata = '{"cacheControl":"no-cache","x-a":"1"}' as MetadataText;
      const wanted = { onConflict: "replace", keepReplacedMs: DAY } as const;
      const file = await uploader.addOne("a", { metadata, visibility: "private" });
      await tick();
      const since = catalog.now();
      const before = await state();
      await uploader.addOne("a", {
        ...wanted,
        caller: AGENT,
        size: 9,
        namedVisibility: "public",
        metadata: '{"x-b":"2"}' as MetadataText,
      });
      await tick();
      await catalog.changeFile(AGENT, { id: file.id, metadata: null });
      expect((await undo({ since })).conflicts).toEqual([]);
      expect(await state()).toEqual(before);
    });

    test("leaves what others did, and reports what they changed since", async () => {
      const { catalog, add, undo, trash } = parts();
      const files = await Promise.all(["a", "b", "c", "d", "e"].map((name) => add(name)));
      const [a, b, c, d, e] = files.map(({ id }) => id);
      if (!(a && b && c && d && e)) throw new Error("Files are missing.");
      await tick();
      const since = catalog.now();
      await trash(OTHER, a);
      await catalog.changeFile(AGENT, { id: b, name: parseName("b2") });
      await tick();
      await catalog.changeFile(OTHER, { id: b, name: parseName("b3") });
      await add("c", AGENT, 2);
      await tick();
      await add("c", OTHER, 3);
      await catalog.changeFile(AGENT, { id: d, name: parseName("d2") });
      await add("d", OTHER, 4);
      await trash(AGENT, e);
      const taken = await add("e", OTHER, 5);
      await tick();
      const { conflicts, restored } = await undo({ since });
      const reasons = new Map(conflicts.map(({ key: place, reason }) => [place, reason]));
      expect([...reasons.keys()].toSorted()).toEqual(["b3", "c", "d2", "e (2)"]);
      expect(restored.map(({ key: place }) => place)).toEqual([parseKey("e (2)")]);
      expect(await catalog.fileById(COMMAND_EVERYWHERE, a)).toBeUndefined();
      expect((await catalog.fileById(COMMAND_EVERYWHERE, taken.id))?.size).toBe(5);
      expect((await catalog.fileById(COMMAND_EVERYWHERE, c))?.size).toBe(3);
    });

    test("is limited to a time and a folder, and to deletions", async () => {
      const { catalog, add, undo, trash } = parts();
      const [a, b, c] = [await add("in/a"), await add("in/b"), await add("out/c")];
      const moved = await add("in/moved");
      await trash(AGENT, a.id);
      await tick();
      const since = catalog.now();
      await trash(AGENT, b.id, c.id);
      await catalog.changeFile(AGENT, { id: moved.id, name: parseName("renamed") });
      await tick();
      const until = catalog.now();
      await tick();
      const late = await add("in/late");
      await trash(AGENT, late.id);
      const inside = await folderAt(catalog, "in");
      await catalog.changeFolder(AGENT, { id: inside.id, name: parseName("into") });
      const folder = { key: parseKey("into") };
      const { restored } = await undo({ since, until, folder, onlyDeletions: true });
      expect(restored.map(({ key: place }) => place)).toEqual([parseKey("into/b")]);
      expect(await undo({ since, until, folder })).toMatchObject({ total: 1, conflicts: [] });
      expect((await catalog.fileById(COMMAND_EVERYWHERE, moved.id))?.key).toBe(
        parseKey("into/moved"),
      );
      await expectFault(undo({ folder: { key: parseKey("nowhere") } }), "not_found");
    });

    test("covers keys that the key has made, also when they are gone", async () => {
      const { catalog, add, undo, trash } = parts();
      const file = await add("a");
      const addKey = (id: string, parentId: string | null) =>
        catalog.addApiKey({
          id,
          name: id,
          prefix: "hd_",
          createdAt: 1,
          lastUsedAt: null,
          expiresAt: null,
          actions: ["keys", "write", "discard"],
          folder: null,
          parentId,
          hash: `hash ${id}`,
        });
      await addKey("agent", null);
      await addKey("child", "agent");
      await addKey("grandchild", "child");
      await trash(by("grandchild"), file.id);
      await catalog.removeApiKey({ id: "agent" });
      await expectFault(undo({ by: "grandchild", maker: "stranger" }), "forbidden");
      await expectFault(undo({ by: "agent", maker: "child" }), "forbidden");
      expect((await undo({ by: "agent", maker: "agent" })).total).toBe(1);
      expect((await catalog.fileById(COMMAND_EVERYWHERE, file.id))?.id).toBe(file.id);
      await catalog.pruneUndo({ before: catalog.now() + DAY });
      await expectFault(undo({ by: "grandchild", maker: "agent" }), "forbidden");
    });

    test("does nothing outside of the caller's folder", async () => {
      const { catalog, add, undo, trash } = parts();
      const [a, b] = [await add("in/a"), await add("out/b")];
      const c = await add("out/c");
      await trash(AGENT, a.id, b.id);
      await catalog.changeFile(AGENT, { id: c.id, name: parseName("z") });
      const inside = await folderAt(catalog, "in");
      const { restored, conflicts } = await undo({}, limitedTo([inside.id]));
      expect(restored.map(({ key: place }) => place)).toEqual([parseKey("in/a")]);
      expect(conflicts).toEqual([]);
      expect((await catalog.fileById(COMMAND_EVERYWHERE, c.id))?.key).toBe(parseKey("out/z"));
    });

    test("brings thousands of files back, that were deleted, replaced and moved", async () => {
      const { catalog, uploader, undo, state } = parts();
      const names = Array.from({ length: 1500 }, (_, at) => `${at}`);
      const files = await uploader.add(names, { folder: "many" });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("away"));
      const away = await folderAt(catalog, "away");
      await tick();
      const since = catalog.now();
      const before = await state();
      const ids = files.map(({ id }) => id);
      await uploader.add(names.slice(0, 500), {
        folder: "many",
        caller: AGENT,
        onConflict: "replace",
        keepReplacedMs: DAY,
      });
      await tick();
      await catalog.changeFiles(AGENT, { ids: ids.slice(0, 1000), folderId: away.id });
      await tick();
      await catalog.changeFiles(AGENT, { ids: ids.slice(500, 700), visibility: "private" });
      await tick();
      for (let at = 0; at < 1500; at += 300) {
        await catalog.trashFiles(AGENT, { ids: ids.slice(at, at + 300), keepMs: DAY });
      }
      expect(await undo({ since })).toMatchObject({ conflicts: [] });
      expect(await state()).toEqual(before);
    });
  });
}
