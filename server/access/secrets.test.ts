import { expect, test } from "bun:test";
import fc from "fast-check";
import { base62, hashSecret, randomSecret } from "./secrets.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });

test("base62 keeps every bit in 43 digits", () => {
  fc.assert(
    fc.property(bytes, (value) => {
      const text = base62(value);
      expect(text).toMatch(/^[0-9A-Za-z]{43}$/);
      const number = [...text].reduce((sum, c) => sum * 62n + BigInt(DIGITS.indexOf(c)), 0n);
      expect(number.toString(16).padStart(64, "0")).toBe(Buffer.from(value).toString("hex"));
    }),
  );
});

test("base62 pads small numbers and fits the largest", () => {
  expect(base62(new Uint8Array(32))).toBe("0".repeat(43));
  expect(base62(new Uint8Array(32).fill(255))).toMatch(/^[0-9A-Za-z]{43}$/);
});

test("random secrets are unique", () => {
  expect(new Set(Array.from({ length: 1000 }, randomSecret)).size).toBe(1000);
});

test("hashSecret is SHA-256 in hex", () => {
  // FIPS 180-4, the example of "abc".
  const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect(hashSecret("abc")).toBe(abc);
});
