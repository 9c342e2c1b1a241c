import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  createUploadToken,
  formatUploadToken,
  hashUploadSecret,
  isUploadSecret,
  parseUploadToken,
} from "./upload-token.ts";

const ID = "019c12a4-f5d0-722f-9d3c-1e5b7a90c4e8";

test("reads the tokens that it writes", () => {
  const token = createUploadToken(ID);
  expect(parseUploadToken(formatUploadToken(token))).toEqual(token);
  expect(Buffer.from(token.secret, "base64url").length).toBe(32);
  expect(createUploadToken(ID).secret).not.toBe(token.secret);
});

test("only the secret itself has its hash", () => {
  const { secret } = createUploadToken(ID);
  const hash = hashUploadSecret(secret);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hash).not.toContain(secret);
  expect(isUploadSecret(secret, hash)).toBe(true);
  fc.assert(
    fc.property(fc.string(), (other) => {
      expect(isUploadSecret(other, hash)).toBe(other === secret);
    }),
  );
  expect(isUploadSecret(secret, hash.slice(1))).toBe(false);
  expect(isUploadSecret(secret, "")).toBe(false);
});

test("no text but a token is accepted, and no second spelling of one", () => {
  const token = formatUploadToken(createUploadToken(ID));
  fc.assert(
    fc.property(fc.string(), fc.nat(token.length), (text, at) => {
      expect(parseUploadToken(text)).toBeUndefined();
      const changed = token.slice(0, at) + text + token.slice(at);
      if (text !== "") expect(parseUploadToken(changed)).toBeUndefined();
    }),
  );
  const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const secrets = [...characters]
    .map((last) => parseUploadToken(token.slice(0, -1) + last)?.secret)
    .filter((secret) => secret !== undefined);
  const values = secrets.map((secret) => Buffer.from(secret, "base64url").toString("hex"));
  expect(secrets.length).toBe(16);
  expect(new Set(values).size).toBe(16);
});
