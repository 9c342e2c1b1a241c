import { expect, test } from "bun:test";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import fc from "fast-check";
import { readZip, ZipNotShown } from "./read-zip.ts";

/** A zip of files of these sizes by path. */
async function pack(files: readonly (readonly [path: string, size: number])[]) {
  const options = { level: 0, useWebWorkers: false };
  const zip = new ZipWriter(new Uint8ArrayWriter(), options);
  for (const [path, size] of files) {
    await zip.add(path, new Uint8ArrayReader(new Uint8Array(size)), {
      directory: path.endsWith("/"),
    });
  }
  return zip.close();
}

const LIMITS = { entries: 50, listBytes: 1024 ** 2 };

/** Lists a zip, and the ranges that were read for it. */
async function list(zip: Uint8Array, limits = LIMITS) {
  const ranges: (readonly [start: number, length: number])[] = [];
  const contents = await readZip(
    zip.length,
    async (start, length) => {
      ranges.push([start, length]);
      return zip.slice(start, start + length);
    },
    limits,
  );
  return { ...contents, ranges };
}

test("any files are listed with their paths and sizes, without their contents", async () => {
  const part = fc.string({ unit: "grapheme", minLength: 1, maxLength: 9 }).filter((text) => {
    return text.isWellFormed() && !/[/\\\0]/.test(text);
  });
  const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  const files = fc.uniqueArray(fc.tuple(path, fc.nat(200_000)), {
    maxLength: 8,
    selector: ([each]) => each,
  });
  await fc.assert(
    fc.asyncProperty(files, async (given) => {
      const zip = await pack(given);
      const { entries, total, ranges } = await list(zip);
      expect(entries.map(({ path, size }) => [path, size])).toEqual(given.map((each) => [...each]));
      expect(total).toBe(given.length);
      expect(ranges.length).toBe(1);
    }),
    { numRuns: 30 },
  );
});

test("folders are told from files, and what exceeds the limits is left out", async () => {
  const { entries } = await list(
    await pack([
      ["folder/", 0],
      ["folder/file", 3],
    ]),
  );
  expect(entries.map(({ isFolder }) => isFolder)).toEqual([true, false]);
  const many = await pack(Array.from({ length: 60 }, (_, at) => [`${at}`, 0] as const));
  const { entries: first, total } = await list(many);
  expect([first.length, total]).toEqual([50, 60]);
  await expect(list(many, { ...LIMITS, listBytes: 1_000 })).rejects.toThrow(ZipNotShown);
});

test("damaged archives are refused or listed, and never read beyond their end", async () => {
  const good = await pack([
    ["a.txt", 20],
    ["b/c.txt", 300],
  ]);
  const damages = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(damages, fc.nat(good.length), async (changes, length) => {
      const bytes = good.slice(0, length);
      for (const [at, value] of changes) if (at < length) bytes[at] = value;
      const ranges: number[] = [];
      const found = await readZip(
        length,
        async (start, count) => {
          ranges.push(start, count, length - start - count);
          return bytes.slice(start, start + count);
        },
        LIMITS,
      ).catch((error: unknown) => error);
      if (!(found instanceof Error)) expect(found).toHaveProperty("entries");
      expect(ranges.every((each) => each >= 0)).toBe(true);
    }),
  );
});
