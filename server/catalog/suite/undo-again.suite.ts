import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { Catalog } from "../port/catalog.ts";
import { type CatalogFixture, DAY, folderAt, listAll, tick } from "./catalog.fixture.ts";
import { foldersByKey } from "./trash-steps.ts";
import { AGENT, by, OTHER, undoing } from "./undo.fixture.ts";

const FILES = ["a", "d/b", "d/c", "d/e/f", "g/h"] as const;
const FOLDERS = ["d", "d/e", "g"] as const;
/** The test makes this many random trees. */
const RUNS = 12;
/** The agent makes at most this many changes to each tree. */
const STEPS = 8;

/** Every file and folder, with what an undo brings back. */
async function treeOf(catalog: Catalog): Promise<string[]> {
  const files = (await listAll(catalog)).map(
    ({ id, key, visibility, blobId }) => `${key} ${id} ${visibility} ${blobId}`,
  );
  const folders = [...(await foldersByKey(catalog))].map(([key, id]) => `${key}/ ${id}`);
  return [...files, ...folders].toSorted();
}

export function undoAgainSuite(fixture: () => CatalogFixture): void {
  /** Takes back a single undo. */
  const undoUndo = (parts: ReturnType<typeof undoing>, who: string, at: number) =>
    parts.undo({ by: who, since: at, until: at }, by(who));

  describe("an undo of an undo", () => {
    test("puts back into the trash what was restored, and moves what was moved", async () => {
      const parts = undoing(fixture().catalog);
      const { catalog, add, undo } = parts;
      const [a, b, c] = [await add("docs/a"), await add("docs/deep/b"), await add("c")];
      await tick();
      const since = catalog.now();
      const before = await treeOf(catalog);
      const docs = await folderAt(catalog, "docs");
      await catalog.trashFiles(AGENT, { ids: [a.id], keepMs: DAY });
      await tick();
      await catalog.changeFile(AGENT, { id: c.id, folderId: docs.id, name: parseName("a") });
      await tick();
      await add("docs/deep/b", AGENT, 7);
      await tick();
      await catalog.changeFolder(AGENT, { id: docs.id, name: parseName("papers") });
      await tick();
      await catalog.trashFolder(AGENT, { id: docs.id, keepMs: DAY });
      const after = await treeOf(catalog);
      await tick();

      const first = await undo({ since }, OTHER);
      expect(first.conflicts).toEqual([]);
      expect(await treeOf(catalog)).toEqual(before);
      expect((await catalog.fileById(COMMAND_EVERYWHERE, b.id))?.size).toBe(1);
      await tick();
      const second = await undoUndo(parts, "other", first.at);
      expect(second.conflicts).toEqual([]);
      expect(await treeOf(catalog)).toEqual(after);
      await tick();
      // The same request does nothing again, also if it reaches up to now.
      expect(await undo({ by: "other", since: first.at }, OTHER)).toMatchObject({
        total: 0,
        conflicts: [],
      });
      // Nor is there anything left of the agent: the changes are now those of who took back the undo.
      expect(await undo({ since }, OTHER)).toMatchObject({ total: 0, conflicts: [] });
      await tick();
      const third = await undoUndo(parts, "other", second.at);
      expect(third.conflicts).toEqual([]);
      expect(await treeOf(catalog)).toEqual(before);
    });

    test("leaves what has changed since it was restored", async () => {
      const parts = undoing(fixture().catalog);
      const { catalog, add, undo } = parts;
      const [a, b] = [await add("a"), await add("b")];
      await add("full/c");
      const [full, still] = [await folderAt(catalog, "full"), await add("still/d")];
      const stillFolder = await folderAt(catalog, "still");
      await tick();
      await catalog.trashFiles(AGENT, { ids: [a.id, b.id], keepMs: DAY });
      await catalog.trashFolder(AGENT, { id: full.id, keepMs: DAY });
      await catalog.trashFolder(AGENT, { id: stillFolder.id, keepMs: DAY });
      await tick();
      const first = await undo({}, OTHER);
      await tick();
      await catalog.changeFile(AGENT, { id: a.id, name: parseName("a2") });
      const late = await add("full/late", AGENT);
      await tick();
      const { conflicts } = await undoUndo(parts, "other", first.at);
      expect(conflicts.map(({ key }) => String(key)).toSorted()).toEqual(["a2", "full"]);
      const isThere = async (id: string) =>
        (await catalog.fileById(COMMAND_EVERYWHERE, id)) !== undefined;
      expect([await isThere(a.id), await isThere(late.id)]).toEqual([true, true]);
      expect([await isThere(b.id), await isThere(still.id)]).toEqual([false, false]);
    });

    test("gives the tree from before the undo, whatever was undone", async () => {
      const parts = undoing(fixture().catalog);
      const { catalog, add, undo } = parts;
      const step = fc.record({
        kind: fc.constantFrom(
          ...([
            "trash",
            "trashFolder",
            "rename",
            "move",
            "replace",
            "revert",
            "hide",
            "nest",
          ] as const),
        ),
        file: fc.nat({ max: FILES.length - 1 }),
        folder: fc.nat({ max: FOLDERS.length - 1 }),
        to: fc.nat({ max: FOLDERS.length - 1 }),
      });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: STEPS }), async (steps) => {
          run += 1;
          const top = `run-${run}`;
          const files = [];
          for (const path of FILES) files.push((await add(`${top}/${path}`)).id);
          const folders = [];
          for (const path of FOLDERS) folders.push((await folderAt(catalog, `${top}/${path}`)).id);
          await tick();
          const since = catalog.now();
          for (const [at, { kind, file, folder, to }] of steps.entries()) {
            const [id, folderId, toId] = [files[file] ?? "", folders[folder] ?? "", folders[to]];
            const name = parseName(`n${at % 3}`);
            const place = { folderId: toId ?? "" };
            const acts = {
              trash: () => catalog.trashFiles(AGENT, { ids: [id], keepMs: DAY }),
              trashFolder: () => catalog.trashFolder(AGENT, { id: folderId, keepMs: DAY }),
              rename: () => catalog.changeFile(AGENT, { id, name }),
              move: () => catalog.changeFile(AGENT, { id, ...place }),
              replace: () => add(`${top}/${FILES[file]}`, AGENT, at + 2),
              revert: async () => {
                const versions = await catalog.listVersions(COMMAND_EVERYWHERE, {
                  fileId: id,
                  limit: 9,
                });
                const version = versions.versions[to % 3]?.id;
                if (version !== undefined)
                  await catalog.restoreVersion(AGENT, { id: version, keepMs: DAY });
              },
              hide: () => catalog.changeFiles(AGENT, { ids: [id], visibility: "private" }),
              nest: () => catalog.changeFolder(AGENT, { id: folderId, parentId: toId ?? "" }),
            };
            await acts[kind]().catch((error: unknown) => {
              if (!(error instanceof Fault)) throw error;
            });
            await tick();
          }
          const folder = { key: parseKey(top) };
          const after = await treeOf(catalog);
          const first = await undo({ since, folder }, OTHER);
          const undone = await treeOf(catalog);
          await tick();
          const second = await undoUndo(parts, "other", first.at);
          expect(second.conflicts).toEqual([]);
          expect(await treeOf(catalog)).toEqual(after);
          await tick();
          const third = await undoUndo(parts, "other", second.at);
          expect(third.conflicts).toEqual([]);
          expect(await treeOf(catalog)).toEqual(undone);
          await tick();
        }),
        { numRuns: RUNS },
      );
    });
  });
}
