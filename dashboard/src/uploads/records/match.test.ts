import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Item, itemOf, joinKey, type Source } from "../item.ts";
import { matchFiles, matchFolder } from "./match.ts";

const source = (folder: string, name: string, size = 5, modified = 1_000): Source => ({
  folder,
  name,
  content: new File(["x".repeat(size)], name, { lastModified: modified }),
});

const interrupted = (id: number, from: Source, more: Partial<Item> = {}): Item => ({
  ...itemOf(id, from),
  content: undefined,
  state: "interrupted",
  ...more,
});

test("recognizes a file by its name, size and time of change", () => {
  const queue = [interrupted(1, source("f", "a")), interrupted(2, source("f", "b"))];
  const sources = [
    source("f", "a"),
    source("f", "b", 6),
    source("f", "b", 5, 2_000),
    source("f", "c"),
  ];
  const { matched, rest } = matchFiles(queue, sources, false);
  expect([...matched.keys()]).toEqual([1]);
  expect(rest).toEqual(sources.slice(1));
});

test("a file for another folder continues only if the user has chosen it for that", () => {
  const queue = [interrupted(1, source("f", "a"))];
  expect(matchFiles(queue, [source("g", "a")], false).matched.size).toBe(0);
  expect([...matchFiles(queue, [source("g", "a")], true).matched.keys()]).toEqual([1]);
});

test("names match in any Unicode normalization, and running uploads are left alone", () => {
  const queue = [
    interrupted(1, source("f", "é")),
    interrupted(2, source("f", "b"), { state: "sending" }),
    interrupted(3, source("f", "c"), { group: 9 }),
  ];
  const sources = [source("f", "e\u0301"), source("f", "b"), source("f", "c")];
  expect([...matchFiles(queue, sources, false).matched.keys()]).toEqual([1]);
});

test("every file continues at most one upload, and every other one is new", () => {
  const some = fc.array(
    fc.record({ name: fc.constantFrom("a", "b", "c"), size: fc.integer({ min: 0, max: 2 }) }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(some, some, (items, files) => {
      const queue = items.map(({ name, size }, at) => interrupted(at, source("f", name, size)));
      const sources = files.map(({ name, size }) => source("f", name, size));
      const { matched, rest } = matchFiles(queue, sources, false);
      expect(new Set([...matched.values(), ...rest])).toEqual(new Set(sources));
      expect(matched.size + rest.length).toBe(sources.length);
      for (const [id, { name, content }] of matched) {
        expect(queue[id]).toMatchObject({ name, size: content.size });
      }
    }),
  );
});

const folder = (...files: Source[]) => ({ files, emptyFolders: [] });

test("a folder continues with the same files, changed ones, new ones and without missing ones", () => {
  const items = [
    interrupted(1, source("t/f", "same"), { state: "done" }),
    interrupted(2, source("t/f", "waiting")),
    interrupted(3, source("t/f/in", "changed")),
    interrupted(4, source("t/f", "missing")),
  ];
  const found = matchFolder(
    items,
    folder(
      source("t/f", "new"),
      source("t/f/in", "changed", 9),
      source("t/f", "waiting"),
      source("t/f", "same"),
    ),
  );
  expect([...found.same.keys()]).toEqual([1, 2]);
  expect([...found.changed.keys()]).toEqual([3]);
  expect([...found.missing]).toEqual([4]);
  expect(found.added.map((added) => joinKey(added.folder, added.name))).toEqual(["t/f/new"]);
  expect(found.isStale).toBe(false);
});

test("a batch with a file that has changed or is gone cannot be used", () => {
  const items = [interrupted(1, source("t/f", "a"), { state: "done" })];
  expect(matchFolder(items, folder(source("t/f", "a", 6))).isStale).toBe(true);
  expect(matchFolder(items, folder()).isStale).toBe(true);
  expect(matchFolder(items, folder(source("t/f", "a"))).isStale).toBe(false);
});
