import { expect, test } from "bun:test";
import fc from "fast-check";
import { sha256Of } from "../domain/sha256.ts";
import { digestField, parseDigestField, wantsDigest } from "./digest-fields.ts";

/** The example of RFC 9530, appendix D. */
const EXAMPLE = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:";

test("reads and writes digests as RFC 9530 shows them", () => {
  const digest = parseDigestField("Repr-Digest", EXAMPLE);
  expect(`${digest}`).toBe("44aff4ab2d7c3250525675a08f0cfa9591168cffe51791c5f5bbc417c15a6c38");
  expect(digest && digestField(digest)).toBe(EXAMPLE);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const any = sha256Of(bytes);
      expect(any && parseDigestField("Content-Digest", digestField(any))).toBe(any);
    }),
  );
});

test.each(["sha-512=:AAAA:", "", "md5=:AAAA:, unixsum=:AAAA:", "x=1"])(
  "ignores other algorithms: %s",
  (value) => expect(parseDigestField("Content-Digest", value)).toBeUndefined(),
);

test.each([
  "sha-256=:AAAA:",
  "sha-256=abc",
  "sha-256",
  'sha-256="x"',
  "sha-256=:",
  "SHA-256=:AAAA:",
  "?",
])("rejects a malformed header by its name: %s", (value) =>
  expect(() => parseDigestField("Content-Digest", value)).toThrow(
    "The header Content-Digest is malformed",
  ),
);

test.each([
  [null, false],
  ["sha-256=1", true],
  ["sha-512=10, sha-256=3", true],
  ["sha-256=10;x=y", true],
  ["sha-256=0", false],
  ["sha-256=11", false],
  ["sha-256=1.5", false],
  ["sha-256", false],
  ["sha-512=3", false],
  ["sha-256=1,", false],
])("a Want-Repr-Digest of %s asks for SHA-256: %p", (value, wanted) => {
  expect(wantsDigest(value)).toBe(wanted);
});

test("no text makes the parser fail", () => {
  const dictionaryText = fc.stringMatching(/^[a-z0-9=:;,?@%*"\\(). -]*$/);
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), dictionaryText), (text) => {
      expect(wantsDigest(`sha-256=3, ${text}`)).toBeBoolean();
      expect(wantsDigest(`sha-256=${text}`)).toBeBoolean();
    }),
  );
});
