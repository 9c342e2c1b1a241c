import { expect, test } from "bun:test";
import fc from "fast-check";
import { createSealer } from "./sealer.ts";

const sealer = createSealer(() => "a secret", "tests");

test("opens what it sealed, which never looks the same", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, context) => {
      const sealed = sealer.seal(text, context);
      expect(sealer.open(sealed, context)).toBe(Buffer.from(text).toString());
      expect(sealer.seal(text, context)).not.toBe(sealed);
    }),
  );
});

test("opens nothing that was changed, or sealed with another secret, purpose or context", () => {
  const sealed = sealer.seal("text", "context");
  expect(sealer.open(sealed, "other")).toBeUndefined();
  expect(createSealer(() => "other", "tests").open(sealed, "context")).toBeUndefined();
  expect(createSealer(() => "a secret", "other").open(sealed, "context")).toBeUndefined();
  const bytes = Buffer.from(sealed, "base64url");
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at);
    expect(sealer.open(changed.toString("base64url"), "context")).toBeUndefined();
    expect(sealer.open(bytes.subarray(0, at).toString("base64url"), "context")).toBeUndefined();
  }
});
