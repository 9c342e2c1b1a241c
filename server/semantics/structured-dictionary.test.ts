import { expect, test } from "bun:test";
import fc from "fast-check";
import { type BareItem, parseDictionary } from "./structured-dictionary.ts";

/** Each value with its text. */
const anyBareItem: fc.Arbitrary<readonly [BareItem, string]> = fc.oneof(
  fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }).map((n) => [n, `${n}`] as const),
  fc.integer({ min: -99_999, max: 99_999 }).map((n) => [n / 8, (n / 8).toFixed(3)] as const),
  fc.boolean().map((value) => [value, value ? "?1" : "?0"] as const),
  fc
    .string({ unit: "grapheme-ascii" })
    .filter((text) => /^[\x20-\x7e]*$/.test(text))
    .map((text) => [text, `"${text.replace(/["\\]/g, "\\$&")}"`] as const),
  fc.uint8Array().map((bytes) => {
    const value = Buffer.from(bytes);
    return [value, `:${value.toString("base64")}:`] as const;
  }),
  fc
    .stringMatching(/^[A-Za-z*][!#$%&'*+\-.^_`|~0-9A-Za-z:/]*$/)
    .map((text) => [text, text] as const),
  fc
    .integer({ min: -62_000_000_000, max: 99_999_999_999 })
    .map((seconds) => [new Date(seconds * 1000), `@${seconds}`] as const),
  fc.string({ unit: "grapheme" }).map((text) => {
    const encoded = [...Buffer.from(text.toWellFormed())].map((byte) =>
      byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, "0")}`,
    );
    return [text.toWellFormed(), `%"${encoded.join("")}"`] as const;
  }),
);

const anyKey = fc.stringMatching(/^[a-z*][a-z0-9_.*-]{0,9}$/);
const anyParameters = fc
  .array(fc.tuple(anyKey, fc.option(anyBareItem)), { maxLength: 2 })
  .map((all) => all.map(([key, item]) => `; ${key}${item === null ? "" : `=${item[1]}`}`).join(""));
const anyItem = fc
  .tuple(anyBareItem, anyParameters)
  .map(([[value, text], parameters]) => [value, text + parameters] as const);
const anyMember: fc.Arbitrary<readonly [BareItem | BareItem[], string]> = fc.oneof(
  anyItem.map(([value, text]) => [value, `=${text}`] as const),
  anyParameters.map((parameters) => [true, parameters] as const),
  fc
    .array(anyItem, { maxLength: 4 })
    .map(
      (items) =>
        [
          items.map(([value]) => value),
          `=( ${items.map(([, text]) => text).join("  ")} )`,
        ] as const,
    ),
);

test("parses every dictionary; the last member of a key counts", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyKey, anyMember), { maxLength: 5 }), (members) => {
      const text = members.map(([key, [, member]]) => key + member).join(" ,\t");
      const expected = new Map(members.map(([key, [value]]) => [key, value]));
      const parsed = parseDictionary(`  ${text} `);
      expect(Object.fromEntries(parsed ?? [["none", true]])).toEqual(Object.fromEntries(expected));
    }),
  );
});

test("a malformed text is no dictionary, and none makes the parser fail", () => {
  const malformed = [
    "a=1,",
    ",a=1",
    "a=",
    "a=1 b=2",
    "A=1",
    "1=a",
    "a=:*:",
    "a=:AAAAA:",
    "a=:AA",
    "a=?2",
    'a="',
    'a="\\n"',
    "a=(1",
    "a=(1 2",
    "a=(1,2)",
    "a=1.",
    "a=1.2345",
    "a=1234567890123456",
    "a=@1.5",
    'a=%"%FF"',
    'a=%"%ff"',
    "a;",
    "a=1;B",
    "a=é",
    "a=\u0000",
    "a=1\n",
  ];
  for (const text of malformed) expect(parseDictionary(text), text).toBeUndefined();
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseDictionary(text)));
});
