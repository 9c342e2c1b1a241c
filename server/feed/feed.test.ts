import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { ChangeObject } from "../../contract/api.ts";
import { createFeedTree, sortedContent, type TreeContent } from "../../test/feed-tree.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import {
  createUploader,
  expectFault,
  folderAt,
  limitedTo,
} from "../catalog/suite/catalog.fixture.ts";
import { readContent } from "../catalog/suite/feed-reader.ts";
import { createTreeModel } from "../catalog/suite/tree-model.ts";
import { aStep, clear, take } from "../catalog/suite/tree-steps.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import { isInFolder } from "../domain/callers/scope.ts";
import { parseKey, parseName } from "../domain/names/name.ts";
import { changeObject } from "../http/api/handlers/changes.ts";
import { createFeed, type FeedDeps } from "./feed.ts";

const folder = mkdtempSync(join(tmpdir(), "holdall-feed-"));
const catalog = await openSqliteCatalog({ path: join(folder, "catalog.sqlite"), exclusive: false });
afterAll(async () => {
  await catalog.close();
  rmSync(folder, { recursive: true });
});

const feedOf = (deps: Partial<FeedDeps> = {}) =>
  createFeed({ catalog, onError: (message) => expect(message).toBe(""), ...deps });

const inFolder = ({ files, folders }: TreeContent, key: string): TreeContent =>
  sortedContent({
    files: files.filter((file) => isInFolder(parseKey(file.key), parseKey(key))),
    folders: folders.filter((each) => isInFolder(parseKey(each.key), parseKey(key))),
  });

/** A copy of one folder, made from the feed that is limited to it. */
async function followFolder(source: Catalog, id: string, key: string) {
  const feed = feedOf();
  let position = await source.feedEnd();
  const tree = createFeedTree(inFolder(await readContent(source), key));
  let isGone = false;

  return {
    isGone: () => isGone,
    content: tree.content,
    /** Returns the changes. */
    async read(): Promise<ChangeObject[]> {
      const found: ChangeObject[] = [];
      for (let more = true; more && !isGone; ) {
        const page = await feed.page(limitedTo([id]), { after: position, folderId: undefined }, 2);
        ({ position, more } = page);
        for (const change of page.changes.map((change) => changeObject(change, ""))) {
          found.push(change);
          tree.apply(change);
          if (change.kind === "folder.deleted" && change.id === id) isGone = true;
          if (!change.hasContent) continue;
          const { files, folders } = inFolder(await readContent(source), change.key);
          for (const file of files) tree.apply({ ...change, ...file, file, folder: null });
          for (const each of folders) tree.apply({ ...change, ...each, folder: each });
        }
      }
      return found;
    },
  };
}

describe("the feed of a folder", () => {
  test("keeps a copy of the folder, and never shows what is outside", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 30 }), async (steps) => {
        await clear(catalog);
        const model = createTreeModel();
        model.createFolder("a/ab");
        const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/ab"));
        const copy = await followFolder(catalog, id, "a/ab");
        let key = "a/ab";
        for (const step of steps) {
          await take(catalog, model, step);
          const current = (await catalog.folderById(COMMAND_EVERYWHERE, id))?.key;
          if (current === undefined) break;
          const found = await copy.read();
          expect(copy.content()).toEqual(inFolder(await readContent(catalog), current));
          for (const change of found) {
            const keys = [change.key, change.fromKey ?? change.key].map(parseKey);
            const places = [key, current].map(parseKey);
            for (const each of keys) {
              expect(places.some((place) => isInFolder(each, place))).toBe(true);
            }
          }
          key = current;
        }
      }),
      { numRuns: 60 },
    );
  });

  test("gives the same changes in pages as one that follows it", async () => {
    await clear(catalog);
    const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
    const a = await folderAt(catalog, "a");
    const after = await catalog.feedEnd();
    const feed = feedOf();
    const follower = await feed.follow(limitedTo([id]), { after, folderId: undefined });
    const uploader = createUploader(catalog);
    await uploader.add(["x"], { folder: "a/b" });
    await uploader.add(["x"], { folder: "a" });
    await catalog.changeFolder(COMMAND_EVERYWHERE, {
      id: a.id,
      name: parseName("c"),
      visibility: "private",
    });
    const other = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("other"));
    await uploader.add(["y"], { folder: "other" });
    await catalog.changeFolder(COMMAND_EVERYWHERE, { id: other.id, parentId: id });
    await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, visibility: "public" });
    const page = await feed.page(limitedTo([id]), { after, folderId: undefined }, 100);
    expect(page.changes.map(({ view }) => [view.kind, view.key, view.hasContent])).toEqual([
      ["file.created", parseKey("a/b/x"), false],
      ["folder.moved", parseKey("c/b"), false],
      ["folder.created", parseKey("c/b/other"), true],
      ["folder.updated", parseKey("c/b"), false],
    ]);
    const followed = await follower.next(1000);
    expect(followed?.changes).toEqual(page.changes);
    // A page from the middle derives the folder's place of that time.
    const [, second] = page.changes;
    const rest = await feed.page(
      limitedTo([id]),
      { after: second?.position ?? after, folderId: undefined },
      100,
    );
    expect(rest.changes).toEqual(page.changes.slice(2));
    follower.close();
  });

  test("goes on after a restore from the trash, and shows nothing of what had its key meanwhile", async () => {
    await clear(catalog);
    const uploader = createUploader(catalog);
    const inner = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
    const a = await folderAt(catalog, "a");
    const feed = feedOf();
    const caller = limitedTo([inner.id]);
    const after = await catalog.feedEnd();
    const follower = await feed.follow(caller, { after, folderId: undefined });
    await uploader.add(["x"], { folder: "a/b" });
    await catalog.trashFolder(COMMAND_EVERYWHERE, { id: a.id, keepMs: 86_400_000 });
    const deleted = await catalog.feedEnd();
    await uploader.add(["foreign"], { folder: "a/b" });
    await catalog.changeFolder(COMMAND_EVERYWHERE, {
      id: (await folderAt(catalog, "a")).id,
      name: parseName("c"),
    });
    await uploader.add(["foreign"], { folder: "a/b" });
    await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [a.id] });
    await uploader.add(["y"], { folder: "a (2)/b" });
    const page = await feed.page(caller, { after, folderId: undefined }, 100);
    const seen = page.changes.map(({ view }) => [view.kind, `${view.key}`, view.hasContent]);
    expect(seen).toEqual([
      ["file.created", "a/b/x", false],
      ["folder.deleted", "a/b", false],
      ["folder.restored", "a (2)/b", true],
      ["file.created", "a (2)/b/y", false],
    ]);
    expect((await follower.next(1000))?.changes).toEqual(page.changes);
    const rest = await feed.page(caller, { after: deleted, folderId: undefined }, 100);
    expect(rest.changes).toEqual(page.changes.slice(2));
    follower.close();
  });

  test("does not show another folder that had the same key before", async () => {
    await clear(catalog);
    const after = await catalog.feedEnd();
    const uploader = createUploader(catalog);
    await uploader.add(["secret"], { folder: "a/b" });
    const first = await folderAt(catalog, "a/b");
    await catalog.removeFolder(COMMAND_EVERYWHERE, first.id);
    const { id } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
    const a = await folderAt(catalog, "a");
    await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, name: parseName("c") });
    await uploader.add(["open"], { folder: "c/b" });
    const page = await feedOf().page(limitedTo([id]), { after, folderId: undefined }, 100);
    expect(page.changes.map(({ view }) => view.key)).toEqual(
      ["a/b", "c/b", "c/b/open"].map(parseKey),
    );
  });

  test("is what several folders have in common", async () => {
    await clear(catalog);
    const inner = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
    const a = await folderAt(catalog, "a");
    const apart = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("c"));
    const after = await catalog.feedEnd();
    const uploader = createUploader(catalog);
    await uploader.add(["x"], { folder: "a" });
    await uploader.add(["y"], { folder: "a/b" });
    await catalog.changeFolder(COMMAND_EVERYWHERE, { id: inner.id, parentId: apart.id });
    await uploader.add(["z"], { folder: "c/b" });
    const feed = feedOf();
    await expectFault(
      feed.page(limitedTo([a.id, inner.id]), { after, folderId: undefined }, 10),
      "not_found",
    );
    await catalog.changeFolder(COMMAND_EVERYWHERE, { id: inner.id, parentId: a.id });
    const page = await feed.page(limitedTo([a.id, inner.id]), { after, folderId: undefined }, 10);
    expect(page.changes.map(({ view }) => `${view.kind} ${view.key}`).slice(0, 2)).toEqual([
      "file.created a/b/y",
      "folder.deleted a/b",
    ]);
    expect(JSON.stringify(page.changes)).not.toContain("c/b");
    await expectFault(
      feed.page(limitedTo([a.id, apart.id]), { after, folderId: undefined }, 10),
      "not_found",
    );
    await expectFault(
      feed.page(limitedTo(["nothing"]), { after, folderId: undefined }, 10),
      "not_found",
    );
  });
});

describe("a follower", () => {
  test("gets a change of another process soon, and nothing meanwhile", async () => {
    const feed = feedOf();
    const follower = await feed.follow(COMMAND_EVERYWHERE, {
      after: await feed.end(),
      folderId: undefined,
    });
    expect((await follower.next(50))?.changes).toEqual([]);
    const next = follower.next(10_000);
    await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(crypto.randomUUID()));
    expect((await next)?.changes.length).toBe(1);
    follower.close();
    expect(await follower.next(10_000)).toBeUndefined();
  });

  test("ends when the feed is closed, and no other begins", async () => {
    const feed = feedOf();
    const place = { after: await feed.end(), folderId: undefined };
    const follower = await feed.follow(COMMAND_EVERYWHERE, place);
    const next = follower.next(60_000);
    feed.close();
    expect(await next).toBeUndefined();
    await expectFault(feed.follow(COMMAND_EVERYWHERE, place), "unavailable");
  });

  test("is refused while too many others follow", async () => {
    const feed = feedOf({ maxFollowers: 1 });
    const place = { after: await feed.end(), folderId: undefined };
    const first = await feed.follow(COMMAND_EVERYWHERE, place);
    await expectFault(feed.follow(COMMAND_EVERYWHERE, place), "unavailable", "Try again later");
    first.close();
    (await feed.follow(COMMAND_EVERYWHERE, place)).close();
  });

  test("learns that it was too slow", async () => {
    const feed = feedOf({ retention: { ms: 3_600_000, entries: 1 } });
    const follower = await feed.follow(COMMAND_EVERYWHERE, {
      after: await feed.end(),
      folderId: undefined,
    });
    await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(crypto.randomUUID()));
    await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(crypto.randomUUID()));
    await feed.prune(Date.now());
    await expectFault(follower.next(10), "gone");
    follower.close();
  });
});

test("changes past the retention are removed", async () => {
  const start = await catalog.feedEnd();
  await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(crypto.randomUUID()));
  const week = 7 * 24 * 3_600_000;
  await feedOf().prune(Date.now() + week - 60_000);
  expect((await catalog.changesAfter(start, 10)).length).toBe(1);
  await feedOf().prune(Date.now() + week + 60_000);
  await expectFault(catalog.changesAfter(start, 10), "gone");
});

test("a follower's page is short where keys are long, and nothing is skipped", async () => {
  const feed = feedOf();
  const after = await catalog.feedEnd();
  const long = Array.from({ length: 12 }, (_, depth) => `${depth}`.padStart(240, "x")).join("/");
  for (let count = 0; count < 40; count += 1)
    await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${long}/${count}`));
  const follower = await feed.follow(COMMAND_EVERYWHERE, { after, folderId: undefined });
  const ids = new Set<string>();
  // Twelve folders on the way, and the forty.
  while (ids.size < 52) {
    const page = await follower.next(1000);
    const weight = page?.changes.reduce((sum, { view }) => sum + 3 * view.key.length, 0) ?? 0;
    expect(weight).toBeGreaterThan(0);
    expect(weight).toBeLessThan(48 * 1024);
    for (const { view } of page?.changes ?? []) ids.add(view.id);
  }
  follower.close();
});
