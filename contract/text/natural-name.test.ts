import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { tryParseName } from "../../server/domain/names/name.ts";
import type { Name } from "../../server/domain/records.ts";
import { foldText } from "./fold-text.ts";
import { naturalName } from "./natural-name.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");

/** Compares keys as the engines do. */
const compare = (one: string, other: string): number =>
  Buffer.compare(bytes(naturalName(one)), bytes(naturalName(other)));

const isName = (name: Name | undefined): name is Name => name !== undefined;
const nameOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Name> =>
  text.map(tryParseName).filter(isName);

const anyName = nameOf(fc.string({ unit: "grapheme", minLength: 1, maxLength: 255 }));
/** Names that are often equal but for case, accents or zeros. */
const similarName = nameOf(
  fc
    .array(fc.constantFrom("a", "A", "á", "Á", "0", "1", "10", ".", "_", "ß", "İ"), {
      minLength: 1,
      maxLength: 8,
    })
    .map((parts) => parts.join("")),
);
const name = fc.oneof(anyName, similarName);

describe("naturalName", () => {
  test.each([
    [["file1", "file2", "file10", "file100", "File101"]],
    [["Annual.pdf", "customers.csv", "File1.txt", "file2.txt", "file10.txt", "README.md"]],
    [["a", "a.txt", "a0", "a1", "a1.txt", "a1b", "a2", "ab"]],
    [["_old", "[new]", "~tmp", "(1)", "-", "1", "9", "a", "a_b", "a b", "a-b", "a1", "ab"]],
    [["a1b2", "a1b10", "a2b1"]],
    [["2026-01-31", "2026-02-01", "2026-2-2", "2026-10-01"]],
    [["img_8.jpg", "IMG_0009.JPG", "img_10.jpg"]],
    [["eclair", "Éclair", "éclair", "ecole", "zoo"]],
    [["999999999", "1000000000", "9999999999", "10000000000", "1".repeat(100), "2".repeat(254)]],
    // 2 to the power of 53, from where on JavaScript's numbers are not exact.
    [["v9007199254740992", "v9007199254740993", "v9007199254740994"]],
    // By their bytes: UTF-16 would put the emoji before the other.
    [["\uffee", "😀"]],
  ])("keeps the order of %j", (names) => {
    expect(names.toSorted(compare)).toEqual(names);
    expect(names.toReversed().sort(compare)).toEqual(names);
  });

  test("orders names that differ only in case, accents or zeros by length and bytes", () => {
    const names = ["a1", "A1", "Á1", "á1", "A01", "a01", "a001"];
    expect(names.toReversed().sort(compare)).toEqual(names);
  });

  test("different names have different keys", () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(compare(one, other) === 0).toBe(one === other);
      }),
      { numRuns: 2000 },
    );
  });

  test("orders numbers by value, whatever is around them", () => {
    const number = fc.bigInt({ min: 0n, max: 10n ** 60n });
    const text = fc.constantFrom("", "a", "B", "é", " ", "-", ".txt", "😀");
    fc.assert(
      fc.property(text, number, number, text, text, (before, one, other, after, further) => {
        const order = compare(`${before}${one}${after}`, `${before}${other}${further}`);
        if (one !== other) expect(order).toBe(one < other ? -1 : 1);
      }),
    );
  });

  test("ignores case, accents and leading zeros where anything else differs", () => {
    const similar = (text: string) =>
      fc.constantFrom(text, text.toUpperCase(), text.replace(/[0-9]+/, "00$&"));
    const pairs = fc
      .tuple(similarName, similarName)
      .chain(([one, other]) =>
        fc.tuple(fc.constant(one), fc.constant(other), similar(one), similar(other)),
      );
    const plain = (text: string) => foldText(text).replace(/(?<![0-9])0+(?=[0-9])/g, "");
    fc.assert(
      fc.property(pairs, ([one, other, likeOne, likeOther]) => {
        fc.pre(plain(one) !== plain(other));
        fc.pre(plain(likeOne) === plain(one) && plain(likeOther) === plain(other));
        expect(compare(likeOne, likeOther)).toBe(compare(one, other));
      }),
      { numRuns: 1000 },
    );
  });

  test("stays short for every name", () => {
    const length = (text: string) => bytes(naturalName(text)).length;
    fc.assert(fc.property(name, (text) => length(text) <= 769));
    for (const unit of [
      "1a",
      "1\u023a",
      "\u023a",
      "0",
      "01",
      "\u1e9e",
      "\u0130",
      "\u1f82",
      "각",
      "\ufb1d",
    ]) {
      const longest = tryParseName(unit.repeat(255 / bytes(unit).length));
      expect(length(longest ?? unit)).toBeLessThanOrEqual(769);
    }
  });
});
