import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { NameMatch } from "../../domain/names/name-match.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import { allKeys, createUploader, expectFault, folderAt, recordsFound } from "./catalog.fixture.ts";

/** `bytes` bytes of characters of one or four bytes, in an order that does not compress. */
function randomName(bytes: number, width: 1 | 4): string {
  const random = crypto.getRandomValues(new Uint32Array(bytes));
  const from = width === 4 ? 0x20000 : 0x61;
  const count = width === 4 ? 0xa000 : 26;
  const characters = Array.from({ length: Math.floor(bytes / width) }, (_, index) =>
    String.fromCodePoint(from + ((random[index] ?? 0) % count)),
  );
  return `${characters.join("")}${"z".repeat(bytes % width)}`;
}

/** A key of `bytes` bytes: 15 names of 255 bytes and a last one. */
function randomKey(bytes: number, width: 1 | 4): string {
  const names = Array.from({ length: 15 }, () => randomName(255, width));
  return [...names, randomName(bytes - 15 * 256, width)].join("/");
}

const anything: NameMatch = { likePattern: "%", mayBeAscii: true, matches: () => true };

/** Keys of maximum length. */
export function longKeysSuite(fixture: () => CatalogFixture): void {
  describe.each([1, 4] as const)("keys of 4,096 bytes, of characters of %i", (width) => {
    test("are created, found, listed in order, renamed and removed", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      // All keys below differ only after the prefix that an index may have.
      const top = randomKey(4000, width);
      for (const name of ["c", "a", "b"]) await uploader.addOne("f", { folder: `${top}/${name}` });
      const longest = `${top}/${randomName(4094 - 4001, width)}`;
      const file = await uploader.addOne("f", { folder: longest });
      expect(Buffer.byteLength(file.key)).toBe(4096);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, file.key)).toEqual(file);
      expect((await folderAt(catalog, longest)).key).toBe(parseKey(longest));
      await expectFault(catalog.createFolder(COMMAND_EVERYWHERE, parseKey(longest)), "conflict");
      await expectFault(catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${top}/a`)), "conflict");

      const [first = ""] = top.split("/");
      const below = parseKey(first);
      const found = catalog.findFolders(COMMAND_EVERYWHERE, { match: anything, below, limit: 100 });
      const keys = (await recordsFound(found)).map(({ key }) => `${key}`);
      expect(keys).toHaveLength(15 + 4);
      expect(keys).toEqual(
        [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      );
      const after = parseKey(`${top}/a`);
      const rest = catalog.findFolders(COMMAND_EVERYWHERE, {
        match: anything,
        below,
        after,
        limit: 100,
      });
      expect((await recordsFound(rest)).map(({ key }) => `${key}`)).toEqual(
        keys.slice(keys.indexOf(after) + 1),
      );
      expect(await catalog.measure(COMMAND_EVERYWHERE, below)).toEqual({
        files: 4,
        folders: 19,
        bytes: 4,
      });

      const { id } = await folderAt(catalog, first);
      const renamed = { id, name: parseName(randomName(255, width)) };
      const folder = await catalog.changeFolder(COMMAND_EVERYWHERE, {
        ...renamed,
        visibility: "private",
      });
      const expected = [...keys.slice(-4).map((key) => `${key}/f`)]
        .map((key) => `${folder.key}${key.slice(first.length)}`)
        .sort();
      expect(await allKeys(catalog)).toEqual(expected);
      expect((await catalog.fileById(COMMAND_EVERYWHERE, file.id))?.visibility).toBe("private");
      await expectFault(
        catalog.changeFolder(COMMAND_EVERYWHERE, {
          id: folder.id,
          name: parseName(`${"x".repeat(255)}`),
          parentId: (await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("y"))).id,
        }),
        "invalid",
      );
      await catalog.removeFolder(COMMAND_EVERYWHERE, folder.id);
      expect(await allKeys(catalog)).toEqual([]);
      while (await catalog.emptyRemovedFolders(100));
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, file.key)).toBeUndefined();
    });
  });
}
