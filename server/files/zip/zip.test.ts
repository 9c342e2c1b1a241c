import { describe, expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { readDirectory, unzip } from "../../../test/unzip.ts";
import { localHeader, type ZipEntry } from "./zip.ts";
import { createZipPlan, type ZipPlan } from "./zip-plan.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const GB = 1024 ** 3;
const WIDE = 0xffff_ffff;

const entry = (path: string, size = 0, checksum = 0, modifiedAt = 0): ZipEntry => ({
  path: encode(path),
  size,
  checksum,
  modifiedAt,
});

function planOf(entries: readonly ZipEntry[]): ZipPlan {
  const plan = createZipPlan();
  for (const each of entries) plan.add(each);
  return plan;
}

/** The central directory with the end records, and its offset in the archive. */
function endingOf(plan: ZipPlan): { tail: Uint8Array; offset: number } {
  const tail = Buffer.concat([...plan.ending()]);
  let offset = 0;
  for (const each of plan.entries()) offset += localHeader(each).length + each.size;
  return { tail, offset };
}

const anyPath = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .filter((path) => path.isWellFormed());
const anyTime = fc.integer({ min: Date.UTC(1980, 0, 1), max: Date.UTC(2037, 11, 31) });

test("an archive of any files is read back unchanged", () => {
  const anyFile = fc.tuple(anyPath, fc.uint8Array({ maxLength: 300 }), anyTime);
  fc.assert(
    fc.property(fc.array(anyFile, { maxLength: 20 }), (files) => {
      const plan = planOf(
        files.map(([path, bytes, time]) => entry(path, bytes.length, crc32(bytes), time)),
      );
      const pieces: Uint8Array[] = [];
      for (const [index, each] of [...plan.entries()].entries()) {
        pieces.push(localHeader(each), files[index]?.[1] ?? new Uint8Array());
      }
      const archive = Buffer.concat([...pieces, ...plan.ending()]);
      expect(archive.length).toBe(plan.size());
      const read = unzip(archive);
      expect(read.map(({ path, bytes }) => [path, [...bytes]])).toEqual(
        files.map(([path, bytes]) => [path, [...bytes]]),
      );
      expect(read.map(({ modified }) => modified)).toEqual(
        files.map(([, , time]) => Math.floor(time / 1000)),
      );
    }),
  );
});

describe("zip64", () => {
  test("records every size and offset, whichever entries are large", () => {
    const anySize = fc.oneof(
      fc.constantFrom(0, 1, WIDE - 1, WIDE, WIDE + 1, 5 * GB, 2 ** 50),
      fc.integer({ min: 0, max: 6 * GB }),
    );
    const anyFile = fc.tuple(anyPath, anySize, fc.integer({ min: 0, max: WIDE }));
    fc.assert(
      fc.property(fc.array(anyFile, { maxLength: 12 }), (files) => {
        const entries = files.map(([path, size, sum]) => entry(path, size, sum));
        const plan = planOf(entries);
        const { tail, offset } = endingOf(plan);
        expect(plan.size()).toBe(offset + tail.length);
        let at = 0;
        const expected = files.map(([path, size, checksum], index) => {
          const record = { path, size, checksum, offset: at };
          at += localHeader(entries[index] ?? entry("")).length + size;
          return record;
        });
        const read = readDirectory(tail, offset);
        expect(
          read.map(({ path, size, checksum, offset: place }) => ({
            path,
            size,
            checksum,
            offset: place,
          })),
        ).toEqual(expected);
      }),
    );
  });

  test("stores the sizes of a large file in its local header too", () => {
    const header = localHeader(entry("a", 5 * GB));
    const view = new DataView(header.buffer);
    expect([view.getUint32(18, true), view.getUint32(22, true)]).toEqual([WIDE, WIDE]);
    expect(view.getUint16(4, true)).toBe(45);
    const sizes = [header.length - 16, header.length - 8];
    expect(sizes.map((at) => Number(view.getBigUint64(at, true)))).toEqual([5 * GB, 5 * GB]);
  });
});

test.each([65_534, 65_535, 65_536, 70_001])("lists all of %d entries", (count) => {
  const plan = createZipPlan();
  for (let index = 0; index < count; index += 1) plan.add(entry(`file ${index}`));
  const { tail, offset } = endingOf(plan);
  const read = readDirectory(tail, offset);
  expect(read.length).toBe(count);
  expect(read.at(-1)?.path).toBe(`file ${count - 1}`);
});

test("folders and files have Unix modes", () => {
  const { tail, offset } = endingOf(planOf([entry("a/"), entry("a/b")]));
  expect(readDirectory(tail, offset).map(({ mode }) => mode.toString(8))).toEqual([
    "40755",
    "100644",
  ]);
});

test.each([
  ["2026-11-21T07:24:31.900Z", "2026-11-21 07:24:30"],
  ["1980-01-01T00:00:00Z", "1980-01-01 00:00:00"],
  ["1970-01-01T00:00:00Z", "1980-01-01 00:00:00"],
  ["2107-12-31T23:59:58Z", "2107-12-31 23:59:58"],
  ["9999-12-31T23:59:58Z", "2107-12-31 23:59:58"],
])("%s has the DOS time %s", (iso, dos) => {
  const { tail, offset } = endingOf(planOf([entry("a", 0, 0, Date.parse(iso))]));
  expect(readDirectory(tail, offset)[0]?.dosTime).toBe(dos);
});

test("an archive without entries is valid", () => {
  expect(unzip(Buffer.concat([...createZipPlan().ending()]))).toEqual([]);
});
