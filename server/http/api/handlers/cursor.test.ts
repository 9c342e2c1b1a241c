import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "../../../domain/faults/fault.ts";
import { readCursor, writeCursor } from "./cursor.ts";

const anyPart = fc.oneof(
  fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
  fc.maxSafeInteger(),
  fc.constant(null),
);
const anyPosition = fc.array(anyPart, { maxLength: 4 });
const anyList = fc.string({ unit: "grapheme", maxLength: 30 });

const readOrFault = (list: string, cursor: string): unknown => {
  try {
    return readCursor(list, cursor);
  } catch (cause) {
    return cause instanceof Fault ? cause.kind : cause;
  }
};

describe("a cursor", () => {
  test("round-trips any position and is safe in a URL", () => {
    fc.assert(
      fc.property(anyList, anyPosition, (list, place) => {
        const cursor = writeCursor(list, place);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(readCursor(list, cursor)).toEqual(place);
      }),
    );
  });

  test("is rejected for another list", () => {
    fc.assert(
      fc.property(anyList, anyList, anyPosition, (list, other, place) => {
        fc.pre(list !== other);
        expect(readOrFault(other, writeCursor(list, place))).toBe("invalid");
      }),
    );
  });

  test("is rejected if the server did not create it", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        expect(readOrFault("list", text)).toBe("invalid");
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
      expect(readOrFault("list", Buffer.from(json).toString("base64url"))).toBe("invalid");
    }
  });

  test("is rejected if it contains text that databases reject", () => {
    for (const part of ["a\0b", "\ud800", "\udc00x"]) {
      expect(readOrFault("list", writeCursor("list", [part]))).toBe("invalid");
    }
    const mark: unknown = JSON.parse(Buffer.from(writeCursor("l", []), "base64url").toString())[0];
    for (const part of [[1], {}, true, [[]]]) {
      const cursor = Buffer.from(JSON.stringify([mark, part])).toString("base64url");
      expect(readOrFault("l", cursor)).toBe("invalid");
    }
  });
});
