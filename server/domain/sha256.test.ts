import { expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "./faults/fault.ts";
import { parseSha256, sha256Base64, sha256Of } from "./sha256.ts";

test("a digest survives hexadecimal in either case, bytes and base64", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const hex = Buffer.from(bytes).toString("hex");
      const digest = parseSha256(hex.toUpperCase());
      expect(`${digest}`).toBe(hex);
      expect(sha256Of(bytes)).toBe(digest);
      expect(Buffer.from(sha256Base64(digest), "base64")).toEqual(Buffer.from(bytes));
    }),
  );
});

test("rejects everything but 64 hexadecimal digits, and names the field", () => {
  const digits = "0123456789abcdef".repeat(4);
  const wrong = ["", "abc", `${digits}0`, digits.slice(1), `${digits.slice(1)}g`, `${digits}\n`];
  for (const text of [...wrong, ` ${digits}`, "AAAA".repeat(11)]) {
    expect(() => parseSha256(text)).toThrow(Fault);
    expect(() => parseSha256(text)).toThrow("`sha256` must be a SHA-256 digest");
  }
  expect(sha256Of(new Uint8Array(31))).toBeUndefined();
});
