import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { ObjectListRequest } from "../port/objects.ts";
import { type CatalogFixture, folderAt, limitedTo } from "./catalog.fixture.ts";
import { createObjects } from "./objects.fixture.ts";

type Request = Pick<ObjectListRequest, "prefix" | "after" | "delimiter" | "limit">;

/** Names around the slash in the order of bytes, and where the order of UTF-16 is another one. */
const NAMES = ["a", "a-", "a.", "a0", "b", "ab", "-", "0", "é", "\uffee", "😀", "a😀"];

const anyPath = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 })
  .map((names) => names.join("/"));

const anyTree = fc.array(
  fc.tuple(anyPath, fc.constantFrom("", "", "/")).map(([path, end]) => `${path}${end}`),
  { maxLength: 40 },
);

const anyText = fc.oneof(
  fc.constant(""),
  anyPath,
  anyPath.map((path) => `${path}/`),
  fc.string({
    unit: fc.constantFrom("a", "/", "-", "0", "é", "😀", "\u0000", "\u{10ffff}"),
    maxLength: 5,
  }),
);

const anyRequest: fc.Arbitrary<Request> = fc.record({
  prefix: anyText,
  after: anyText,
  delimiter: fc.constantFrom(undefined, "/", "/", "-", "a", "a/", "😀", "/a"),
  limit: fc.oneof(fc.nat({ max: 8 }), fc.constant(1000)),
});

const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The keys that are possible together: nothing is both a file and a folder. */
function consistent(paths: readonly string[]): string[] {
  const files = new Set<string>();
  const folders = new Set<string>();
  const kept: string[] = [];
  for (const path of paths) {
    const names = path.split("/").filter((name) => name !== "");
    const above = names.map((_, at) => names.slice(0, at).join("/")).slice(1);
    const key = names.join("/");
    const isFile = !path.endsWith("/");
    if (above.some((each) => files.has(each)) || files.has(key)) continue;
    if (isFile && folders.has(key)) continue;
    for (const each of isFile ? above : [...above, key]) folders.add(each);
    if (isFile) files.add(key);
    kept.push(path);
  }
  return kept;
}

/** A list of keys, computed in memory. */
function expected(paths: readonly string[], request: Request): { keys: string[]; more: boolean } {
  const { prefix, after, delimiter, limit } = request;
  const isEmpty = (path: string): boolean =>
    !path.endsWith("/") || !paths.some((other) => other !== path && other.startsWith(path));
  const common = (key: string): string | undefined => {
    const at = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length);
    return at === -1 ? undefined : key.slice(0, at + (delimiter ?? "").length);
  };
  const passed = after.startsWith(prefix) && after !== "" ? common(after) : undefined;
  const all = [...new Set(paths)]
    .filter((path) => isEmpty(path) && path.startsWith(prefix) && compare(path, after) > 0)
    .filter((path) => passed === undefined || common(path) !== passed)
    .sort(compare)
    .map((path) => (common(path) === undefined ? path : `=${common(path)}`));
  const entries = [...new Set(all)];
  return { keys: entries.slice(0, limit), more: limit > 0 && entries.length > limit };
}

export function objectListsSuite(fixture: () => CatalogFixture): void {
  describe("listing objects", () => {
    test("follows the bytes of whole keys, with any prefix, delimiter, position and limit", async () => {
      const { catalog } = fixture();
      const objects = createObjects(catalog);
      let bucket = 0;
      await fc.assert(
        fc.asyncProperty(
          anyTree.map(consistent),
          fc.array(anyRequest, { minLength: 20, maxLength: 20 }),
          async (paths, requests) => {
            bucket += 1;
            const name = `bucket-${bucket}`;
            await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(name));
            await objects.fill(paths.map((path) => `${name}/${path}`));
            for (const request of requests) {
              expect(await objects.list(name, request)).toEqual(expected(paths, request));
            }
          },
        ),
        { numRuns: 25 },
      );
    });

    test("continues after each entry", async () => {
      const { catalog } = fixture();
      const objects = createObjects(catalog);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("pages"));
      const paths = ["a/b/c", "a/b-/c", "a/b.", "a/x/y/z", "a-/q", "a0", "b/c", "b/d/", "c"];
      await objects.fill(paths.map((path) => `pages/${path}`));
      for (const delimiter of [undefined, "/", "-"]) {
        const whole = await objects.list("pages", { delimiter });
        const pages: string[] = [];
        for (let after = ""; ; ) {
          const { keys, more } = await objects.list("pages", { delimiter, after, limit: 1 });
          pages.push(...keys);
          expect(more).toBe(pages.length < whole.keys.length);
          if (!more) break;
          after = (keys[0] ?? "").replace(/^=/, "");
        }
        expect(pages).toEqual(whole.keys);
      }
    });

    test("reads folders with many and with few entries", async () => {
      const { catalog, makeFolders } = fixture();
      const objects = createObjects(catalog);
      await makeFolders("many", 1200);
      const folders = Array.from({ length: 150 }, (_, at) => `many/${at}/x${at % 3}/file`);
      await Promise.all(folders.map((path) => objects.put(path)));
      const wide = Array.from({ length: 700 }, (_, at) => `many/7/wide/${at}`);
      await Promise.all(wide.map((path) => objects.put(path)));
      const paths = [...folders, ...wide].map((path) => path.slice("many/".length));
      const explicit = Array.from({ length: 1200 }, (_, at) => `${at}/`);
      for (const delimiter of [undefined, "/"]) {
        const all = expected([...paths, ...explicit], {
          prefix: "",
          after: "",
          delimiter,
          limit: 5000,
        });
        expect(await objects.list("many", { delimiter, limit: 5000 })).toEqual(all);
      }
    });

    test("shows an explicit folder while it is empty, and never an implicit one", async () => {
      const { catalog } = fixture();
      const objects = createObjects(catalog);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("box/by-api"));
      await objects.fill(["box/implicit/file", "box/explicit/"]);
      const file = await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("box/implicit/file"));
      await catalog.removeFiles(COMMAND_EVERYWHERE, [file?.id ?? ""]);
      expect((await objects.list("box")).keys).toEqual(["by-api/", "explicit/"]);
      expect((await objects.list("box", { delimiter: "/" })).keys).toEqual([
        "=by-api/",
        "=explicit/",
      ]);
      await objects.put("box/explicit/file");
      expect((await objects.list("box")).keys).toEqual(["by-api/", "explicit/file"]);
      expect(
        (await catalog.explicitFolder(COMMAND_EVERYWHERE, parseKey("box/explicit")))?.name,
      ).toBe(parseName("explicit"));
      expect(
        await catalog.explicitFolder(COMMAND_EVERYWHERE, parseKey("box/implicit")),
      ).toBeUndefined();
    });

    test("shows only what is within the limits, also of a bucket around them", async () => {
      const { catalog } = fixture();
      const objects = createObjects(catalog);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("one"));
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("two"));
      await objects.fill(["one/a/b/c", "one/a/b/d", "one/a/x", "one/z", "two/a"]);
      const within = [(await folderAt(catalog, "one/a/b")).id];
      const caller = limitedTo(within);
      expect((await objects.list("one", { caller })).keys).toEqual(["a/b/c", "a/b/d"]);
      expect((await objects.list("one", { caller, delimiter: "/" })).keys).toEqual(["=a/"]);
      expect((await objects.list("one", { caller, prefix: "a/b/", delimiter: "/" })).keys).toEqual([
        "a/b/c",
        "a/b/d",
      ]);
      expect((await objects.list("one", { caller, prefix: "a/x" })).keys).toEqual([]);
      expect((await objects.list("one", { caller, prefix: "z" })).keys).toEqual([]);
      const request = { prefix: "", after: "", limit: 9 };
      expect(
        await catalog.listObjects(caller, { ...request, bucket: parseKey("two") }),
      ).toBeUndefined();
      const apart = [...within, (await folderAt(catalog, "two")).id];
      expect(
        await catalog.listObjects(limitedTo(apart), { ...request, bucket: parseKey("one") }),
      ).toBeUndefined();
      expect(await catalog.explicitFolder(caller, parseKey("two"))).toBeUndefined();
    });

    test("knows no bucket that is absent, the root, or a file", async () => {
      const { catalog } = fixture();
      await createObjects(catalog).uploader.addOne("file");
      for (const bucket of ["", "file", "nothing"].map(parseKey)) {
        const request = { bucket, prefix: "", after: "", limit: 1 };
        expect(await catalog.listObjects(COMMAND_EVERYWHERE, request)).toBeUndefined();
      }
    });
  });
}
