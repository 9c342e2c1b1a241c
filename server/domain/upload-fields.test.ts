import { expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "./faults/fault.ts";
import { booleanField, parseBooleanField, parseByteCount } from "./upload-fields.ts";

test("a byte count is a whole number of at most 15 digits", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (bytes) => {
      expect(parseByteCount("Upload-Offset", String(bytes))).toBe(bytes);
    }),
  );
  expect(parseByteCount("Upload-Offset", " 7 ")).toBe(7);
  expect(parseByteCount("Upload-Offset", null)).toBeNull();
});

test.each(["", "-1", "+1", "1.5", "1e3", "0x10", "1, 1", "1234567890123456", "Infinity"])(
  "%p is no byte count",
  (value) => {
    expect(() => parseByteCount("Upload-Offset", value)).toThrow(
      new Fault("invalid", "Upload-Offset must be a whole number of bytes."),
    );
  },
);

test("booleans are structured fields", () => {
  for (const value of [true, false]) {
    expect(parseBooleanField("Upload-Complete", booleanField(value))).toBe(value);
  }
  expect(parseBooleanField("Upload-Complete", null)).toBeNull();
  for (const value of ["1", "true", "?2", ""]) {
    expect(() => parseBooleanField("Upload-Complete", value)).toThrow("Upload-Complete must be");
  }
});
