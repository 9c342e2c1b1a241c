import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { type CatalogFixture, DAY, folderAt, limitedTo, tick } from "./catalog.fixture.ts";
import { expectRightQuotas, giveQuota, usedOf } from "./quotas.fixture.ts";
import { AGENT, OTHER, undoing } from "./undo.fixture.ts";

export function undoConflictsSuite(fixture: () => CatalogFixture): void {
  function parts() {
    const { catalog, ...others } = undoing(fixture().catalog);
    const find = (id: string) => catalog.fileById(COMMAND_EVERYWHERE, id);
    return { catalog, ...others, find };
  }

  describe("what an undo leaves", () => {
    test("names nothing that has left the caller's folder since", async () => {
      const { catalog, add, undo } = parts();
      const [a, b, c] = [await add("in/a"), await add("in/b"), await add("in/sub/c")];
      await add("secret/x");
      const [inside, sub] = [await folderAt(catalog, "in"), await folderAt(catalog, "in/sub")];
      const secret = await folderAt(catalog, "secret");
      await catalog.changeFile(AGENT, { id: a.id, name: parseName("a2") });
      await add("in/b", AGENT, 2);
      await catalog.changeFolder(AGENT, { id: sub.id, name: parseName("sub2") });
      await catalog.changeFile(AGENT, { id: c.id, visibility: "private" });
      await tick();
      await add("in/b", OTHER, 3);
      await catalog.changeFile(OTHER, { id: a.id, name: parseName("plan"), folderId: secret.id });
      await catalog.changeFile(OTHER, { id: b.id, folderId: secret.id });
      await catalog.changeFolder(OTHER, {
        id: sub.id,
        name: parseName("hidden"),
        parentId: secret.id,
      });
      const { conflicts, total } = await undo({}, limitedTo([inside.id]));
      expect({ conflicts, total }).toEqual({ conflicts: [], total: 0 });
    });

    test("of a folder's visibility can be undone later", async () => {
      const { catalog, add, undo, find } = parts();
      const [b, c] = [await add("a/b/x"), await add("a/c/x")];
      const { id } = await folderAt(catalog, "a");
      await catalog.changeFolder(AGENT, { id, visibility: "private" });
      await undo({ folder: { key: parseKey("a/b") } });
      expect((await find(b.id))?.visibility).toBe("public");
      expect((await find(c.id))?.visibility).toBe("private");
      await undo({ folder: { key: parseKey("a/c") } });
      expect((await find(c.id))?.visibility).toBe("public");
    });

    test("is reported for each file whose folder is gone", async () => {
      const { catalog, add, undo } = parts();
      const [a, b] = [await add("from/a"), await add("from/b")];
      await add("to/x");
      const [from, to] = [await folderAt(catalog, "from"), await folderAt(catalog, "to")];
      await catalog.changeFiles(AGENT, { ids: [a.id, b.id], folderId: to.id });
      await add("sub/deep/x");
      const deep = await folderAt(catalog, "sub/deep");
      await catalog.changeFolder(AGENT, { id: deep.id, parentId: to.id });
      await tick();
      await catalog.trashFolder(OTHER, { id: from.id, keepMs: DAY });
      await catalog.removeFolder(OTHER, { key: parseKey("sub") });
      const { conflicts } = await undo();
      expect(conflicts.map((each) => each.key).toSorted()).toEqual(["to/a", "to/b", "to/deep"]);
    });

    test("is content that others stored without keeping what they replaced", async () => {
      const { add, undo, find } = parts();
      const a = await add("a");
      await tick();
      await add("a", AGENT, 2);
      await tick();
      await add("a", OTHER, 3, null);
      const { conflicts } = await undo();
      expect((await find(a.id))?.size).toBe(3);
      expect(conflicts.map((each) => each.key)).toEqual([parseKey("a")]);
    });

    test("is a folder that has a quota, in its place", async () => {
      const { catalog, add, undo } = parts();
      await add("x/deep/a", undefined, 10);
      const deep = await folderAt(catalog, "x/deep");
      const root = await folderAt(catalog, "");
      await catalog.changeFolder(AGENT, { id: deep.id, parentId: root.id });
      await tick();
      await giveQuota(catalog, "deep", { maxBytes: 100 });
      const { conflicts, total } = await undo();
      expect((await catalog.folderById(COMMAND_EVERYWHERE, deep.id))?.key).toBe(parseKey("deep"));
      expect(conflicts.map((each) => each.key)).toEqual([parseKey("deep")]);
      expect(total).toBe(0);
      await expectRightQuotas(catalog);
    });
  });

  test("quotas count a folder that had one itself, whichever is older", async () => {
    const { catalog, add } = parts();
    for (const order of [
      ["a", "b"],
      ["d", "c"],
    ]) {
      const [from = "", to = ""] = order;
      // One with a limit could not be moved: it is only counted.
      for (const folder of order.toSorted()) {
        await add(`${folder}/x`, undefined, 3);
        if (folder === to) await giveQuota(catalog, folder, { maxBytes: 100 });
        else await catalog.openQuota({ key: parseKey(folder) });
      }
      const [moved, parent] = [await folderAt(catalog, from), await folderAt(catalog, to)];
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: moved.id, parentId: parent.id });
      expect(await usedOf(catalog, to)).toEqual([6, 2]);
    }
  });

  test("quotas are right after an undo that renames and moves their folders", async () => {
    const { catalog, add, undo } = parts();
    const [one, two] = [await add("q/one", undefined, 100), await add("other/two", undefined, 7)];
    await add("q/deep/x", undefined, 1000);
    await giveQuota(catalog, "q", { maxBytes: 5000 });
    await giveQuota(catalog, "other", { maxBytes: 5000 });
    const [q, other] = [await folderAt(catalog, "q"), await folderAt(catalog, "other")];
    const deep = await folderAt(catalog, "q/deep");
    await tick();
    const rename = async (id: string, name: string) => {
      await catalog.changeFolder(AGENT, { id, name: parseName(name) });
      await tick();
    };
    // The folders swap their names.
    await rename(q.id, "aside");
    await rename(other.id, "q");
    await rename(q.id, "other");
    await catalog.changeFile(AGENT, { id: one.id, folderId: other.id });
    await tick();
    await add("q/two", AGENT, 9);
    await tick();
    await catalog.changeFolder(AGENT, { id: deep.id, parentId: other.id });
    await tick();
    await rename(deep.id, "deeper");
    await catalog.trashFiles(AGENT, { ids: [two.id], keepMs: DAY });
    await tick();
    await rename(other.id, "last");
    await expectRightQuotas(catalog);
    expect((await undo()).conflicts).toEqual([]);
    expect(await usedOf(catalog, "q")).toEqual([1100, 2]);
    expect(await usedOf(catalog, "other")).toEqual([16, 2]);
    await expectRightQuotas(catalog);
  });

  describe("an undo of a key's own changes", () => {
    test("does nothing the second time", async () => {
      const { catalog, add, undo, find } = parts();
      const [a, b, c] = [await add("a"), await add("b"), await add("in/c")];
      await tick();
      const since = catalog.now();
      await add("a", AGENT, 2);
      await tick();
      await add("a", AGENT, 3);
      await catalog.changeFile(AGENT, { id: b.id, name: parseName("b2") });
      const { id } = await folderAt(catalog, "in");
      await catalog.changeFolder(AGENT, { id, name: parseName("in2"), visibility: "private" });
      await tick();
      const look = async () => {
        const files = await Promise.all([a, b, c].map((each) => find(each.id)));
        return files.map((file) => [file?.key, file?.size, file?.visibility]);
      };
      await undo({ since }, AGENT);
      const after = await look();
      expect(after).toEqual([
        [parseKey("a"), 1, "public"],
        [parseKey("b"), 1, "public"],
        [parseKey("in/c"), 1, "public"],
      ]);
      await tick();
      await undo({ since }, AGENT);
      expect(await look()).toEqual(after);
    });
  });
}
