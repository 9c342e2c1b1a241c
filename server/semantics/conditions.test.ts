import { expect, test } from "bun:test";
import fc from "fast-check";
import { processorTime } from "../../test/processor-time.fixture.ts";
import {
  checkIfMatch,
  checkIfModifiedSince,
  checkIfNoneMatch,
  checkIfRange,
  checkIfUnmodifiedSince,
} from "./conditions.ts";
import { httpDate } from "./etag.ts";

const TAG = '"800-19c136349c0"';
const STORED = Date.UTC(2026, 0, 31, 9, 30) + 456;
const LAST_MODIFIED = "Sat, 31 Jan 2026 09:30:00 GMT";

test("an absent header is no condition", () => {
  expect(checkIfMatch(null, TAG)).toBe("none");
  expect(checkIfUnmodifiedSince(null, STORED)).toBe("none");
  expect(checkIfNoneMatch(null, TAG)).toBe("none");
  expect(checkIfModifiedSince(null, STORED)).toBe("none");
  expect(checkIfRange(null, TAG, STORED)).toBe("none");
});

test.each([
  TAG,
  `W/${TAG}`,
  "*",
  `"other", ${TAG}`,
  `${TAG}, "other"`,
  `"other",${TAG},W/"third"`,
  `"with,comma", W/${TAG}`,
  `"", ${TAG}`,
  `,, ${TAG} ,`,
  `\t${TAG}\t`,
  `"é", ${TAG}`,
])("If-None-Match: %s matches", (header) => {
  expect(checkIfNoneMatch(header, TAG)).toBe("false");
});

test.each([
  '"other"',
  'W/"other"',
  '"other", W/"third"',
  "",
  ",",
  TAG.slice(1, -1),
  TAG.slice(0, -1),
  TAG.slice(1),
  TAG.toUpperCase(),
  `w/${TAG}`,
  `W/ ${TAG}`,
  `"x${TAG}`,
  `'${TAG}'`,
  `${TAG}x`,
  "**",
  '"other", *',
  `garbage, ${TAG}`,
  `"a b", ${TAG}`,
  `"a" ${TAG}`,
  `"x, ${TAG.slice(1, -1)}, y"`,
])("If-None-Match: %s does not match", (header) => {
  expect(checkIfNoneMatch(header, TAG)).toBe("true");
});

const opaque = fc.stringMatching(/^[\x21\x23-\x7e]{0,12}$/).map((text) => `"${text}"`);
const weakened = fc.tuple(opaque, fc.boolean()).map(([tag, weak]) => (weak ? `W/${tag}` : tag));
const separator = fc.constantFrom(",", ", ", " ,", ",,", "\t,\t");

test("a well-formed list matches exactly if one of its tags does", () => {
  fc.assert(
    fc.property(fc.array(weakened), separator, fc.option(fc.nat(20)), (tags, between, at) => {
      const list = at === null ? tags : tags.toSpliced(at, 0, TAG);
      const has = list.some((tag) => tag.replace("W/", "") === TAG);
      expect(checkIfNoneMatch(list.join(between), TAG)).toBe(has ? "false" : "true");
    }),
  );
});

test("a header without the tag or a star never matches, and long garbage is parsed fast", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (header) => {
      if (header.includes(TAG) || header === "*") return;
      expect(checkIfNoneMatch(header, TAG)).toBe("true");
    }),
  );
  const start = processorTime();
  for (const piece of ['"', " ", ",", "W/", '"a"', '"a",', '"a" ', 'W/"', "\t\t,"]) {
    expect(checkIfNoneMatch(piece.repeat(200_000), TAG)).toBe("true");
  }
  expect(processorTime() - start).toBeLessThan(1000);
});

test.each([
  [LAST_MODIFIED, "false"],
  ["Saturday, 31-Jan-26 09:30:00 GMT", "false"],
  ["Sat Jan 31 09:30:00 2026", "false"],
  ["Sat, 31 Jan 2026 09:30:01 GMT", "false"],
  ["Fri, 31 Jan 2070 09:30:00 GMT", "false"],
  ["Sat, 31 Jan 2026 09:29:59 GMT", "true"],
  ["Sun, 06 Nov 1994 08:49:37 GMT", "true"],
  ["", "none"],
  ["yesterday", "none"],
  ["2026-01-31T09:30:00Z", "none"],
  [`${LAST_MODIFIED}, ${LAST_MODIFIED}`, "none"],
] as const)("If-Modified-Since: %s is %s", (header, expected) => {
  expect(checkIfModifiedSince(header, STORED)).toBe(expected);
});

test("content is unmodified since its own Last-Modified, and modified since the second before", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1e9, max: 4e12 }), (storedAt) => {
      expect(checkIfModifiedSince(httpDate(storedAt), storedAt)).toBe("false");
      expect(checkIfModifiedSince(httpDate(storedAt - 1000), storedAt)).toBe("true");
    }),
  );
});

test.each([
  [TAG, "true"],
  [LAST_MODIFIED, "true"],
  [`W/${TAG}`, "false"],
  ['"other"', "false"],
  [`${TAG}, "other"`, "false"],
  ["*", "false"],
  ["", "false"],
  [TAG.slice(1, -1), "false"],
  ["Sat, 31 Jan 2026 09:29:59 GMT", "false"],
  ["Sat, 31 Jan 2026 09:30:01 GMT", "false"],
  ["Fri, 31 Jan 2070 09:30:00 GMT", "false"],
  ["Sat, 31 Jan 2026 09:30:00", "false"],
  ["garbage", "false"],
] as const)("If-Range: %s is %s", (header, expected) => {
  expect(checkIfRange(header, TAG, STORED)).toBe(expected);
});

test("If-Range accepts only the exact current Last-Modified", () => {
  const seconds = fc.integer({ min: 1e6, max: 4e9 });
  fc.assert(
    fc.property(seconds, seconds, fc.nat(999), (validator, stored, milliseconds) => {
      const of = (at: number) =>
        checkIfRange(httpDate(validator * 1000), TAG, at * 1000 + milliseconds);
      expect(of(validator)).toBe("true");
      expect(of(stored)).toBe(stored === validator ? "true" : "false");
    }),
  );
});

test.each([TAG, "*", `"other", ${TAG}`, `W/"other", ${TAG}`, ` ,${TAG}`])(
  "If-Match: %s matches",
  (header) => {
    expect(checkIfMatch(header, TAG)).toBe("true");
  },
);

test.each([`W/${TAG}`, '"other"', "", ",", TAG.slice(1, -1), `x, ${TAG}`, `W/${TAG}, "other"`])(
  "If-Match: %s does not match",
  (header) => {
    expect(checkIfMatch(header, TAG)).toBe("false");
  },
);

test.each([
  [LAST_MODIFIED, "true"],
  ["Sat, 31 Jan 2026 09:30:01 GMT", "true"],
  ["Sat, 31 Jan 2026 09:29:59 GMT", "false"],
  ["yesterday", "none"],
  ["", "none"],
] as const)("If-Unmodified-Since: %s is %s", (header, condition) => {
  expect(checkIfUnmodifiedSince(header, STORED)).toBe(condition);
});
