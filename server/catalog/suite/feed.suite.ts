import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { COMMAND, type FeedEntry, type FeedPosition } from "../../domain/tree-change.ts";
import type { Catalog } from "../port/catalog.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { createUploader, expectFault, folderAt } from "./catalog.fixture.ts";

const ada = { kind: "account", id: "1", name: "ada@example.com" } as const;
const EVERYTHING = { before: Date.now() + 3_600_000, keep: 1_000_000, limit: 1000 };

/** All entries after a position, in pages. */
export async function readFeed(catalog: Catalog, after: FeedPosition): Promise<FeedEntry[]> {
  const entries: FeedEntry[] = [];
  for (let position = after; ; ) {
    const page = await catalog.changesAfter(position, 50);
    entries.push(...page);
    const last = page.at(-1);
    if (last === undefined) return entries;
    position = last.position;
  }
}

export function feedSuite(fixture: () => CatalogFixture): void {
  describe("places in the change feed", () => {
    test("are its first entry, and the entry before a moment", async () => {
      const { catalog } = fixture();
      const before = await catalog.feedEnd();
      const uploader = createUploader(catalog);
      await uploader.add(["a"], { folder: "places" });
      const entries = await readFeed(catalog, before);
      const last = entries.at(-1);
      if (last === undefined) throw new Error("There are no entries.");
      await Bun.sleep(20);
      await uploader.add(["b"], { folder: "places" });
      expect(await catalog.feedPositionAt(last.at + 1)).toEqual(last.position);
      const end = await catalog.feedEnd();
      expect(await catalog.feedPositionAt(Date.now() + 3_600_000)).toEqual(end);
      const start = await catalog.feedStart();
      expect(start.seq).toBeLessThanOrEqual(before.seq);
      expect(await catalog.feedPositionAt(0)).toEqual(start);
      expect((await catalog.changesAfter(start, 1000)).at(-1)?.position).toEqual(end);
    });
  });

  describe("the change feed", () => {
    /** The changes that the work makes, as texts. */
    async function changesOf(work: (catalog: Catalog) => Promise<unknown>): Promise<string[]> {
      const { catalog } = fixture();
      const start = await catalog.feedEnd();
      await work(catalog);
      return (await readFeed(catalog, start)).map(({ change }) => {
        const { kind } = change;
        if ("file" in change) {
          const from = "fromKey" in change ? `${change.fromKey} → ` : "";
          return `${kind} ${from}${change.file.key} ${change.file.visibility}`;
        }
        if ("folder" in change) {
          const from = "fromKey" in change ? `${change.fromKey} → ` : "";
          const more = "visibility" in change ? ` ${change.visibility}` : "";
          return `${kind} ${from}${change.folder.key}${more}`;
        }
        return `${kind} ${change.key}${"visibility" in change ? ` ${change.visibility}` : ""}`;
      });
    }

    test("has an entry for each file and folder that an upload adds or replaces", async () => {
      const found = await changesOf(async (catalog) => {
        const uploader = createUploader(catalog);
        await uploader.add(["x", "y"], { folder: "a/b" });
        await uploader.add(["x", "z"], { folder: "a/b", onConflict: "replace" });
        await uploader.add(["x", "w"], { folder: "a/b", onConflict: "skip" });
      });
      expect(found).toEqual([
        "folder.created a",
        "folder.created a/b",
        "file.created a/b/x public",
        "file.created a/b/y public",
        "file.created a/b/z public",
        "file.replaced a/b/x public",
        "file.created a/b/w public",
      ]);
    });

    test("has one entry for a change of a folder, and one for each file otherwise", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const files = await uploader.add(["x", "y", "z"], { folder: "a/b" });
      const [x, y] = files.map(({ id }) => id);
      const a = await folderAt(catalog, "a");
      const root = await folderAt(catalog, "");
      const found = await changesOf(async () => {
        await catalog.changeFile(COMMAND_EVERYWHERE, {
          id: x ?? "",
          name: parseName("w"),
          visibility: "private",
        });
        await catalog.changeFile(COMMAND_EVERYWHERE, { id: x ?? "", visibility: "public" });
        await catalog.changeFile(COMMAND_EVERYWHERE, { id: y ?? "", folderId: root.id });
        await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, name: parseName("c") });
        await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, visibility: "private" });
        await catalog.changeFolder(COMMAND_EVERYWHERE, {
          id: a.id,
          name: parseName("d"),
          visibility: "public",
        });
        await catalog.removeFiles(COMMAND_EVERYWHERE, [y ?? ""]);
        await catalog.removeFolder(COMMAND_EVERYWHERE, a.id);
      });
      expect(found).toEqual([
        "file.moved a/b/x → a/b/w private",
        "file.updated a/b/w public",
        "file.moved a/b/y → y public",
        "folder.moved a → c null",
        "folder.updated c private",
        "folder.moved c → d public",
        "file.deleted y",
        "folder.deleted d",
      ]);
    });

    test("has an entry for each of several files that a change moves or shows", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const files = await uploader.add(["x", "y", "z"], { folder: "a" });
      const there = await uploader.addOne("w", { folder: "b" });
      await uploader.addOne("z", { folder: "b" });
      const { id: folderId } = await folderAt(catalog, "b");
      const ids = [...files, there].map(({ id }) => id);
      const change = { ids, folderId, visibility: "private" } as const;
      expect(await changesOf(() => catalog.changeFiles(COMMAND_EVERYWHERE, change))).toEqual([
        "file.moved a/x → b/x private",
        "file.moved a/y → b/y private",
        "file.updated b/w private",
      ]);
      expect(await changesOf(() => catalog.changeFiles(COMMAND_EVERYWHERE, change))).toEqual([]);
    });

    test("has no entry for what fails or changes nothing", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("x", { folder: "a" });
      const a = await folderAt(catalog, "a");
      const found = await changesOf(async () => {
        await expectFault(uploader.add(["x"], { folder: "a" }), "conflict");
        await expectFault(uploader.add(["y", "x"], { folder: "a" }), "conflict");
        await expectFault(catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a")), "conflict");
        await expectFault(catalog.removeFolder(COMMAND_EVERYWHERE, "nothing"), "not_found");
        await catalog.removeFiles(COMMAND_EVERYWHERE, ["nothing"]);
        await catalog.changeFile(COMMAND_EVERYWHERE, {
          id: file.id,
          name: file.name,
          visibility: "public",
        });
        await catalog.changeFolder(COMMAND_EVERYWHERE, {
          id: a.id,
          name: parseName("a"),
          visibility: "public",
        });
        await uploader.add(["x"], { folder: "a", onConflict: "skip" });
      });
      expect(found).toEqual([]);
    });

    test("has an entry for a record that a repair drops", async () => {
      const { catalog } = fixture();
      const { id: fileId, blobId } = await createUploader(catalog).addOne("x", { folder: "a" });
      const found = await changesOf(() => catalog.dropRecords([{ fileId, blobId }]));
      expect(found).toEqual(["file.deleted a/x"]);
    });

    test("says who made a change and when", async () => {
      const { catalog } = fixture();
      const start = await catalog.feedEnd();
      const folder = await catalog.createFolder(
        { ...COMMAND_EVERYWHERE, actor: ada },
        parseKey("a"),
      );
      await catalog.removeFolder(COMMAND_EVERYWHERE, folder.id);
      const [created, removed] = await readFeed(catalog, start);
      expect(created).toMatchObject({ actor: ada, at: folder.createdAt });
      expect(removed?.actor).toEqual(COMMAND);
    });

    test("is the same in pages of any size", async () => {
      const { catalog } = fixture();
      const start = await catalog.feedEnd();
      await createUploader(catalog).add(["1", "2", "3", "4", "5"], { folder: "a" });
      const all = await catalog.changesAfter(start, 100);
      expect(all.length).toBe(6);
      expect(await catalog.changesAfter(start, 2)).toEqual(all.slice(0, 2));
      const third = all[2]?.position ?? start;
      expect(await catalog.changesAfter(third, 2)).toEqual(all.slice(3, 5));
      expect(await catalog.feedEnd()).toEqual(all[5]?.position ?? start);
    });

    test("survives closing and opening", async () => {
      const { catalog, reopen } = fixture();
      const start = await catalog.feedEnd();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a"));
      const entries = await readFeed(catalog, start);
      const opened = await reopen();
      expect(await readFeed(opened, start)).toEqual(entries);
    });

    test("refuses a position that it has not, or of another feed", async () => {
      const { catalog } = fixture();
      const end = await catalog.feedEnd();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a"));
      for (const position of [
        { ...end, check: `${end.check}x` },
        { ...end, seq: end.seq + 2 },
        { ...end, seq: 0 },
        { ...end, seq: -1 },
      ]) {
        await expectFault(catalog.changesAfter(position, 10), "gone", "List the files");
      }
    });

    test("is pruned from its oldest entry on, and keeps the newest", async () => {
      const { catalog } = fixture();
      await catalog.pruneChanges(EVERYTHING);
      const start = await catalog.feedEnd();
      for (let index = 0; index < 10; index += 1)
        await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${index}`));
      const entries = await readFeed(catalog, start);
      const end = await catalog.feedEnd();
      expect(await catalog.pruneChanges({ before: 0, keep: 1_000_000, limit: 9 })).toBe(0);
      expect(await catalog.pruneChanges({ before: 0, keep: 6, limit: 1000 })).toBe(5);
      await expectFault(catalog.changesAfter(start, 10), "gone");
      const kept = entries.slice(-6);
      const first = kept[0]?.position ?? start;
      expect(await readFeed(catalog, first)).toEqual(kept.slice(1));
      expect(await catalog.pruneChanges({ ...EVERYTHING, limit: 2 })).toBe(2);
      expect(await catalog.pruneChanges(EVERYTHING)).toBe(3);
      expect(await catalog.pruneChanges(EVERYTHING)).toBe(0);
      expect(await readFeed(catalog, end)).toEqual([]);
      expect(await catalog.feedEnd()).toEqual(end);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("later"));
      expect((await readFeed(catalog, end)).length).toBe(1);
    });

    test("keeps the position of a reader that is up to date", async () => {
      const { catalog } = fixture();
      for (const name of ["a", "b", "c"])
        await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(name));
      const end = await catalog.feedEnd();
      await Bun.sleep(2);
      const before = Date.now();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("recent"));
      await catalog.pruneChanges({ before, keep: 1_000_000, limit: 1000 });
      expect((await readFeed(catalog, end)).length).toBe(1);
    });

    test("gives the places where a folder has been", async () => {
      const { catalog } = fixture();
      const before = await catalog.feedEnd();
      const inner = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
      const a = await folderAt(catalog, "a");
      const after = await catalog.feedEnd();
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, name: parseName("c") });
      expect(await catalog.folderPlaces(inner.id, before)).toEqual({
        key: parseKey("c/b"),
        moves: [
          { kind: "folder.created", id: inner.id, key: parseKey("a/b"), fromKey: parseKey("a/b") },
          { kind: "folder.moved", id: a.id, key: parseKey("c"), fromKey: parseKey("a") },
        ],
      });
      const places = await catalog.folderPlaces(inner.id, after);
      expect(places?.moves.length).toBe(1);
      await catalog.removeFolder(COMMAND_EVERYWHERE, a.id);
      expect(await catalog.folderPlaces(inner.id, after)).toBeUndefined();
    });

    test("never gets an entry before one that a reader has seen", async () => {
      const { catalog } = fixture();
      const start = await catalog.feedEnd();
      const uploaders = Array.from({ length: 8 }, (_, index) => ({
        uploader: createUploader(catalog, `tester ${index}`),
        folder: `${index % 3}`,
      }));
      let writing = true;
      const followed: FeedEntry[] = [];
      const following = (async () => {
        for (let position = start; writing; ) {
          const page = await catalog.changesAfter(position, 7);
          followed.push(...page);
          position = page.at(-1)?.position ?? position;
          await Bun.sleep(0);
        }
      })();
      await Promise.all(
        uploaders.map(async ({ uploader, folder }, index) => {
          for (let round = 0; round < 8; round += 1) {
            const file = await uploader.addOne(`${index} ${round}`, { folder });
            if (round % 2 === 0) await catalog.removeFiles(COMMAND_EVERYWHERE, [file.id]);
          }
        }),
      );
      writing = false;
      await following;
      const all = await readFeed(catalog, start);
      expect(all.slice(0, followed.length)).toEqual(followed);
      expect(all.length).toBe(8 * 8 + 8 * 4 + 3);
      expect(all.map(({ position }) => position.seq)).toEqual(
        all.map((_, index) => start.seq + 1 + index),
      );
      expect(all.every(({ at }) => at > 0)).toBe(true);
    });

    test("has the entry of a change that has resolved", async () => {
      const { catalog } = fixture();
      const start = await catalog.feedEnd();
      await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${index}`));
          const found = await readFeed(catalog, start);
          const ids = found.map(({ change }) => ("folder" in change ? change.folder.id : ""));
          if (!ids.includes(id)) throw new Fault("invalid", `${id} is missing in the feed.`);
        }),
      );
    });
  });
}
