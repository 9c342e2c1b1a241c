import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "../../rules/fault.ts";
import { readCursor, writeCursor } from "./cursor.ts";

const aPart = fc.oneof(
  fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
  fc.maxSafeInteger(),
  fc.constant(null),
);
const aPlace = fc.array(aPart, { maxLength: 4 });
const aList = fc.string({ unit: "grapheme", maxLength: 30 });

const refusal = (list: string, cursor: string): unknown => {
  try {
    return readCursor(list, cursor);
  } catch (cause) {
    return cause instanceof Fault ? cause.kind : cause;
  }
};

describe("a cursor", () => {
  test("brings any place back, and is safe in a URL", () => {
    fc.assert(
      fc.property(aList, aPlace, (list, place) => {
        const cursor = writeCursor(list, place);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(readCursor(list, cursor)).toEqual(place);
      }),
    );
  });

  test("is refused for another list", () => {
    fc.assert(
      fc.property(aList, aList, aPlace, (list, other, place) => {
        fc.pre(list !== other);
        expect(refusal(other, writeCursor(list, place))).toBe("invalid");
      }),
    );
  });

  test("that nobody made is refused", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        expect(refusal("list", text)).toBe("invalid");
      }),
    );
    const made = [
      '["x",1]',
      "{}",
      "null",
      "[]",
      '"list"',
      `[${"1,".repeat(20_000)}1]`,
      "[".repeat(9_000),
    ];
    for (const json of made) {
      expect(refusal("list", Buffer.from(json).toString("base64url"))).toBe("invalid");
    }
  });

  test("with text that no database takes is refused", () => {
    for (const part of ["a\0b", "\ud800", "\udc00x"]) {
      expect(refusal("list", writeCursor("list", [part]))).toBe("invalid");
    }
    const mark: unknown = JSON.parse(Buffer.from(writeCursor("l", []), "base64url").toString())[0];
    for (const part of [[1], {}, true, [[]]]) {
      const cursor = Buffer.from(JSON.stringify([mark, part])).toString("base64url");
      expect(refusal("l", cursor)).toBe("invalid");
    }
  });
});
