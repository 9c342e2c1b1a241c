import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createFolderTokens } from "./folder-token.ts";

const tokens = createFolderTokens("a secret of thirty-two characters");
const folder = { folderId: "01a1fda2-3ca9-702c-97cc-83facefdaadb", exp: 1_800_000_600 };
const token = tokens.sign(folder);

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

describe("a folder token", () => {
  test("is a name of URL characters that begins with ~", () => {
    expect(token).toMatch(/^~[A-Za-z0-9_-]{50,200}$/);
  });

  test("says which folder and until when, for any id and expiry", () => {
    const id = fc.string({ minLength: 1, maxLength: 36, unit: "grapheme-ascii" });
    const exp = fc.integer({ min: 0, max: 999_999_999_999 });
    fc.assert(
      fc.property(id, exp, (folderId, at) => {
        const signed = { folderId, exp: at };
        expect(tokens.verify(tokens.sign(signed))).toEqual(signed);
      }),
    );
  });

  test("is none with another secret", () => {
    expect(createFolderTokens("another secret of 32 characters!").verify(token)).toBeUndefined();
  });

  test("is none with any character changed, removed, added or repeated", () => {
    const at = fc.integer({ min: 0, max: token.length - 1 });
    const char = fc.constantFrom(...ALPHABET, "~", "=", "+", "/", ".", "%", "é", "\u0000");
    const cut = fc.integer({ min: 0, max: 3 });
    fc.assert(
      fc.property(at, cut, fc.array(char, { maxLength: 3 }), (from, length, added) => {
        const forged = token.slice(0, from) + added.join("") + token.slice(from + length);
        if (forged !== token) expect(tokens.verify(forged)).toBeUndefined();
      }),
      { numRuns: 20_000 },
    );
  });

  test("is none in another encoding of the same bytes", () => {
    const last = ALPHABET.indexOf(token.at(-1) ?? "");
    for (const char of ALPHABET) {
      const other = token.slice(0, -1) + char;
      if (char !== ALPHABET[last]) expect(tokens.verify(other)).toBeUndefined();
    }
    for (const other of [`${token}=`, `${token}==`, token.slice(1), `~${token}`, ` ${token}`]) {
      expect(tokens.verify(other)).toBeUndefined();
    }
  });

  test("is none if it is any other text", () => {
    fc.assert(fc.property(fc.string(), (text) => tokens.verify(`~${text}`) === undefined));
  });
});
