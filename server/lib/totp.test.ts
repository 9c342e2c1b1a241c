import { expect, test } from "bun:test";
import fc from "fast-check";
import { base32, findTotpStep, parseBase32, totpCode, totpStep, totpUri } from "./totp.ts";

const SECRET = new TextEncoder().encode("12345678901234567890");

// RFC 6238, appendix B, SHA-1.
test.each([
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
])("the code at %d s is %s", (seconds, code) => {
  expect(totpCode(SECRET, totpStep(seconds * 1000), 8)).toBe(code);
  expect(totpCode(SECRET, totpStep(seconds * 1000))).toBe(code.slice(2));
});

// RFC 4226, appendix D.
test("the first counters have the codes of RFC 4226", () => {
  const codes = Array.from({ length: 10 }, (_, counter) => totpCode(SECRET, counter));
  expect(codes).toEqual([
    ...["755224", "287082", "359152", "969429", "338314"],
    ...["254676", "287922", "162583", "399871", "520489"],
  ]);
});

// RFC 4648, section 10.
test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("%p in base32 is %p", (text, encoded) => {
  expect(base32(new TextEncoder().encode(text))).toBe(encoded);
});

test("base32 is read back, and other text is not", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(parseBase32(base32(bytes))).toEqual(Uint8Array.from(bytes));
    }),
  );
  for (const text of ["a", "1", "MZ=", "MZ XW"]) expect(parseBase32(text)).toBeUndefined();
});

test("a code is valid one step early and late, and only after the last step used", () => {
  const at = 1_234_567_890_000;
  const now = totpStep(at);
  for (let skew = -3; skew <= 3; skew += 1) {
    const code = totpCode(SECRET, now + skew);
    const expected = Math.abs(skew) <= 1 ? now + skew : undefined;
    expect(findTotpStep({ secret: SECRET, code, at, lastStep: null })).toBe(expected);
    expect(findTotpStep({ secret: SECRET, code, at, lastStep: now + skew - 1 })).toBe(expected);
    expect(findTotpStep({ secret: SECRET, code, at, lastStep: now + skew })).toBeUndefined();
  }
});

test("the URI names the account and the issuer", () => {
  expect(totpUri("MZXW6YTB", "ada+x@example.com")).toBe(
    "otpauth://totp/Holdall:ada%2Bx%40example.com?secret=MZXW6YTB&issuer=Holdall",
  );
});
