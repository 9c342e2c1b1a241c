import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { naturalName } from "../../../../../contract/text/natural-name.ts";
import type { FileObject, FolderPage } from "../../../../../sdk/src/holdall.ts";
import { insertFiles } from "./insert-files.ts";

const dates = { createdAt: "2026-01-01 00:00:00", updatedAt: "2026-01-01 00:00:00" };
const folder = { id: "root", key: "", name: "", parentId: null, ...dates };
const file = (id: string, name: string, size = 1): FileObject => ({
  ...dates,
  id,
  name,
  size,
  key: name,
  url: name,
  folderId: "root",
  mimeType: "text/plain",
  visibility: "public",
});
const page = (files: FileObject[], nextCursor: string | null): FolderPage => ({
  folder,
  folders: [],
  files,
  nextCursor,
});
const names = (pages: readonly FolderPage[]) => pages.map(({ files }) => files.map((f) => f.name));
const byName = { orderBy: "name", direction: "ASC" } as const;

const pages = [page([file("1", "b"), file("2", "d")], "x"), page([file("3", "f")], "y")];

describe("placing a file", () => {
  test.each([
    ["a", [["a", "b", "d"], ["f"]]],
    ["c", [["b", "c", "d"], ["f"]]],
    [
      "e",
      [
        ["b", "d"],
        ["e", "f"],
      ],
    ],
    ["g", [["b", "d"], ["f"]]],
  ])("inserts a new file in order: %s", (name, expected) => {
    expect(names(insertFiles(pages, [file("9", name)], byName))).toEqual(expected);
  });

  test("appends a file at the end of a completely loaded folder", () => {
    const whole = [page([file("1", "b")], null)];
    expect(names(insertFiles(whole, [file("9", "g")], byName))).toEqual([["b", "g"]]);
    expect(names(insertFiles([page([], null)], [file("9", "g")], byName))).toEqual([["g"]]);
  });

  test("moves a renamed file, or removes it if its position has not been loaded", () => {
    expect(names(insertFiles(pages, [file("1", "e")], byName))).toEqual([["d"], ["e", "f"]]);
    expect(names(insertFiles(pages, [file("1", "z")], byName))).toEqual([["d"], ["f"]]);
  });

  test("returns the same pages for an unchanged file", () => {
    expect(insertFiles(pages, [file("1", "b")], byName)).toBe(pages);
  });

  test("orders names by their numbers and regardless of case, other characters by UTF-8 bytes", () => {
    const whole = [page([file("1", "a10"), file("2", "Z"), file("3", "\uffee")], null)];
    const added = [file("9", "A9"), file("8", "😀"), file("7", "b")];
    expect(names(insertFiles(whole, added, byName))).toEqual([
      ["A9", "a10", "b", "Z", "\uffee", "😀"],
    ]);
  });
});

test("placing files one by one gives the sorted order", () => {
  const names = fc.string({ unit: "binary", minLength: 1, maxLength: 4 });
  const sizes = fc.nat(3);
  const bytes = (text: string) => Buffer.from(text, "utf8");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(names, sizes), { maxLength: 12 }),
      fc.constantFrom("name", "size", "createdAt"),
      fc.constantFrom("ASC", "DESC"),
      (made, orderBy, direction) => {
        const files = made.map(([name, size], at) => file(String(at).padStart(3, "0"), name, size));
        const placed = insertFiles([page([], null)], files.toReversed(), { orderBy, direction });
        const sign = direction === "ASC" ? 1 : -1;
        const sorted = files.toSorted((one, other) => {
          const byValue =
            orderBy === "name"
              ? Buffer.compare(bytes(naturalName(one.name)), bytes(naturalName(other.name)))
              : orderBy === "size"
                ? one.size - other.size
                : 0;
          return sign * (byValue || Number(one.id) - Number(other.id));
        });
        expect(placed[0]?.files).toEqual(sorted);
      },
    ),
  );
});
