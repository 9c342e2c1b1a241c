import { describe, expect, test } from "bun:test";
import { type Caller, COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import type { FileRecord } from "../../domain/records.ts";
import { type CatalogFixture, DAY, tick } from "./catalog.fixture.ts";
import { AGENT, OTHER, undoing } from "./undo.fixture.ts";

/** Undoing replaced contents of which versions were restored meanwhile. */
export function undoContentsSuite(fixture: () => CatalogFixture): void {
  async function parts() {
    const { catalog, add, undo } = undoing(fixture().catalog);
    const file = await add("a");
    await tick();
    const since = catalog.now();
    const latestVersion = async () => {
      const [latest] = (
        await catalog.listVersions(COMMAND_EVERYWHERE, { fileId: file.id, limit: 1 })
      ).versions;
      return latest?.id ?? "";
    };
    /** Replaces the content, and returns the id of the version that has the former one. */
    const replace = async (size: number, caller: Caller = AGENT) => {
      await add("a", caller, size);
      await tick();
      return latestVersion();
    };
    const restore = async (id: string, caller: Caller = AGENT) => {
      await catalog.restoreVersion(caller, { id, keepMs: DAY });
      await tick();
    };
    const content = async () => {
      const { blobId, size } = (await catalog.fileById(COMMAND_EVERYWHERE, file.id)) as FileRecord;
      return { blobId, size };
    };
    return { file, since, replace, restore, latestVersion, undo, content };
  }

  describe("an undo of replaced content", () => {
    test("leaves the first content, if its version was restored", async () => {
      const { file, since, replace, restore, undo, content } = await parts();
      const first = await replace(5);
      await replace(6);
      await restore(first);
      expect(await undo({ since })).toMatchObject({ total: 0, conflicts: [] });
      expect(await content()).toEqual({ blobId: file.blobId, size: 1 });
    });

    test("does so when somebody else has restored it", async () => {
      const { since, replace, restore, undo, content } = await parts();
      await restore(await replace(5), OTHER);
      expect(await undo({ since })).toMatchObject({ total: 0, conflicts: [] });
      expect((await content()).size).toBe(1);
    });

    test("brings the first content back that was replaced again after it was restored", async () => {
      const { file, since, replace, restore, undo, content } = await parts();
      await restore(await replace(5));
      await replace(7);
      expect(await undo({ since })).toMatchObject({ total: 1, conflicts: [] });
      expect(await content()).toEqual({ blobId: file.blobId, size: 1 });
    });

    test("brings it back after a later version was restored, and after that was taken back", async () => {
      const { since, replace, restore, undo, content } = await parts();
      await replace(5);
      await restore(await replace(6));
      expect((await content()).size).toBe(5);
      expect(await undo({ since })).toMatchObject({ total: 1, conflicts: [] });
      expect((await content()).size).toBe(1);
      expect(await undo({ since })).toMatchObject({ total: 0, conflicts: [] });
    });

    test.each([
      [6, 1],
      [7, 5],
    ])("counts restores of restores: after %p the content is of %p bytes", async (times, size) => {
      const { since, replace, restore, latestVersion, undo, content } = await parts();
      await replace(5);
      for (let count = 0; count < times - 1; count += 1) await restore(await latestVersion());
      expect((await content()).size).toBe(size);
      expect(await undo({ since })).toMatchObject({ conflicts: [] });
      expect((await content()).size).toBe(1);
    });

    test("takes back only the restore of a version from before", async () => {
      const { file, replace, restore, undo, content } = await parts();
      const first = await replace(5);
      const later = Date.now();
      await restore(first);
      expect((await content()).blobId).toBe(file.blobId);
      expect(await undo({ since: later })).toMatchObject({ total: 1, conflicts: [] });
      expect((await content()).size).toBe(5);
    });

    test("gives others their content back that a restored version has replaced", async () => {
      const { since, replace, restore, undo, content } = await parts();
      const first = await replace(5);
      await replace(8, OTHER);
      await restore(first);
      expect(await undo({ since })).toMatchObject({ total: 1, conflicts: [] });
      expect((await content()).size).toBe(8);
    });
  });
}
