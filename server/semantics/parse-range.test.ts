import { expect, test } from "bun:test";
import fc from "fast-check";
import { processorTime } from "../../test/processor-time.fixture.ts";
import { parseRange } from "./parse-range.ts";

const SIZE = 1000;
const slice = (start: number, end: number) => ({ start, end });
const huge = "9".repeat(30);

test.each([
  ["bytes=0-99", slice(0, 100)],
  ["bytes=0-0", slice(0, 1)],
  ["bytes=999-999", slice(999, 1000)],
  ["bytes=500-", slice(500, 1000)],
  ["bytes=0-", slice(0, 1000)],
  ["bytes=-200", slice(800, 1000)],
  ["bytes=-1", slice(999, 1000)],
])("%s is a slice", (header, expected) => {
  expect(parseRange(header, SIZE)).toEqual(expected);
});

test.each([
  ["bytes=900-1000", slice(900, 1000)],
  ["bytes=0-5000", slice(0, 1000)],
  [`bytes=0-${huge}`, slice(0, 1000)],
  ["bytes=-1000", slice(0, 1000)],
  ["bytes=-1001", slice(0, 1000)],
  [`bytes=-${huge}`, slice(0, 1000)],
])("%s is clamped to the file", (header, expected) => {
  expect(parseRange(header, SIZE)).toEqual(expected);
});

test.each([
  "bytes=1000-",
  "bytes=1000-1000",
  "bytes=1000-2000",
  `bytes=${huge}-`,
  `bytes=${huge}-${huge}`,
  "bytes=-0",
  "bytes=-000",
])("%s is unsatisfiable", (header) => {
  expect(parseRange(header, SIZE)).toBe("unsatisfiable");
});

test.each([
  "",
  "bytes",
  "bytes=",
  "bytes=-",
  "bytes=a-b",
  "bytes=1",
  "bytes=5-2",
  `bytes=${huge}-5`,
  `bytes=${huge}-${huge.slice(1)}8`,
  `bytes=1${huge}-${huge}`,
  "bytes=--1",
  "bytes=1--2",
  "bytes=1-2-3",
  "bytes=+1-2",
  "bytes=-1.5",
  "bytes=0x1-0x2",
  "bytes=1e1-",
  "bytes=１-２",
  "bytes= 0-1",
  "bytes=0 -1",
  "bytes=0-1\n",
  "byteſ=0-1",
  "0-1",
])("ignores %j, which is malformed", (header) => {
  expect(parseRange(header, SIZE)).toBe("whole");
});

test.each(["items=0-1", "seconds=0-1", "none", "bytesx=0-1", "xbytes=0-1"])(
  "ignores %s, which has another unit",
  (header) => {
    expect(parseRange(header, SIZE)).toBe("whole");
  },
);

test.each([
  "bytes=0-0,-1",
  "bytes=0-99,200-299",
  "bytes=0-1,",
  "bytes=,0-1",
  "bytes=5000-,6000-",
  ",",
])("ignores %s, which has a comma", (header) => {
  expect(parseRange(header, SIZE)).toBe("whole");
});

test("returns the whole file without a header", () => {
  expect(parseRange(null, SIZE)).toBe("whole");
  expect(parseRange(null, 0)).toBe("whole");
});

test.each(["bytes=0-", "bytes=0-0", "bytes=5-10", "bytes=-1", "bytes=-0"])(
  "%s of an empty file is unsatisfiable",
  (header) => {
    expect(parseRange(header, 0)).toBe("unsatisfiable");
  },
);

test.each(["bytes=5-2", "bytes=-", "items=0-1", "bytes=0-,1-"])(
  "ignores %s of an empty file",
  (header) => {
    expect(parseRange(header, 0)).toBe("whole");
  },
);

test("ignores the case of the unit and leading zeros", () => {
  expect(parseRange("BYTES=1-2", SIZE)).toEqual(slice(1, 3));
  expect(parseRange("Bytes=-1", SIZE)).toEqual(slice(999, 1000));
  expect(parseRange(`bytes=${"0".repeat(50)}1-${"0".repeat(9)}2`, SIZE)).toEqual(slice(1, 3));
});

test("reaches the last byte of a file of MAX_SAFE_INTEGER bytes exactly", () => {
  const size = Number.MAX_SAFE_INTEGER;
  const last = size - 1;
  expect(parseRange(`bytes=${last}-`, size)).toEqual(slice(last, size));
  expect(parseRange(`bytes=${size}-`, size)).toBe("unsatisfiable");
  expect(parseRange("bytes=9007199254740993-9007199254740992", size)).toBe("whole");
});

test("parses a million characters fast", () => {
  const digits = "1".repeat(1_000_000);
  const start = processorTime();
  for (const header of [
    `bytes=${digits}-${digits}`,
    `bytes=-${digits}`,
    `bytes=${digits}x`,
    `bytes=${"0-,".repeat(300_000)}`,
    `bytes=${"0".repeat(1_000_000)}x`,
  ]) {
    parseRange(header, SIZE);
  }
  expect(processorTime() - start).toBeLessThan(1000);
});

const anySize = fc.oneof(fc.nat(20), fc.maxSafeNat());
const position = fc.oneof(fc.bigInt(0n, 25n), fc.bigInt(0n, 2n ** 80n));

test("agrees with a bigint implementation", () => {
  fc.assert(
    fc.property(
      anySize,
      fc.option(position, { nil: null }),
      fc.option(position, { nil: null }),
      (size, first, last) => {
        const range = parseRange(`bytes=${first ?? ""}-${last ?? ""}`, size);
        expect(range).toEqual(exactRange(BigInt(size), first, last));
      },
    ),
    { numRuns: 2000 },
  );
});

function exactRange(size: bigint, first: bigint | null, last: bigint | null) {
  const exact = (start: bigint, end: bigint) => slice(Number(start), Number(end));
  if (first === null && last === null) return "whole";
  if (first === null) {
    const count = last ?? 0n;
    if (count === 0n || size === 0n) return "unsatisfiable";
    return exact(count > size ? 0n : size - count, size);
  }
  if (last !== null && first > last) return "whole";
  if (first >= size) return "unsatisfiable";
  return exact(first, last === null || last >= size ? size : last + 1n);
}

test("for any header, a slice is within the file and not empty", () => {
  const header = fc.oneof(
    fc.string(),
    fc.string().map((text) => `bytes=${text}`),
    fc.stringMatching(/^bytes=[0-9, -]{0,12}$/),
  );
  fc.assert(
    fc.property(header, anySize, (text, size) => {
      const range = parseRange(text, size);
      if (text.includes(",")) expect(range).toBe("whole");
      if (typeof range === "string") return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeGreaterThan(range.start);
      expect(range.end).toBeLessThanOrEqual(size);
    }),
    { numRuns: 2000 },
  );
});
