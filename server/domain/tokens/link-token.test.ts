import { expect, test } from "bun:test";
import fc from "fast-check";
import { createLinkTokens, hashLinkToken, isLinkToken } from "./link-token.ts";

const tokenOf = createLinkTokens("secret");

test("the token of a link is always the same, and another one for each id and secret", () => {
  const other = createLinkTokens("other secret");
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, two) => {
      expect(isLinkToken(tokenOf(one))).toBe(true);
      expect(Buffer.from(tokenOf(one), "base64url")).toHaveLength(16);
      expect(tokenOf(one)).toBe(createLinkTokens("secret")(one));
      expect(tokenOf(one)).not.toBe(other(one));
      expect(tokenOf(one) === tokenOf(two)).toBe(one === two);
      expect(hashLinkToken(tokenOf(one))).toMatch(/^[0-9a-f]{64}$/);
    }),
  );
});

test("text is a token only as 16 bytes in base64url, encoded in one way", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const bytes = Buffer.from(text, "base64url");
      const isCanonical = bytes.length === 16 && bytes.toString("base64url") === text;
      expect(isLinkToken(text)).toBe(isCanonical);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64url");
      expect(isLinkToken(text)).toBe(true);
      const last = text.slice(-1);
      const alias = "ABQRghwx".replace(last, "");
      for (const other of alias) {
        const same = Buffer.from(text.slice(0, -1) + other, "base64url").equals(Buffer.from(bytes));
        if (same) expect(isLinkToken(text.slice(0, -1) + other)).toBe(false);
      }
    }),
  );
});
