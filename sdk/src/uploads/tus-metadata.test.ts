import { expect, test } from "bun:test";
import fc from "fast-check";
import { encodeMetadata } from "./tus-metadata.ts";

test("pairs are separated by commas, their values in base64", () => {
  expect(encodeMetadata({ filename: "harbour.mov", filetype: undefined, empty: "" })).toBe(
    "filename aGFyYm91ci5tb3Y=,empty ",
  );
});

test("every name survives the encoding, and never breaks the header", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const header = encodeMetadata({ filename: name });
      expect(header).toMatch(/^filename [A-Za-z0-9+/=]*$/);
      expect(Buffer.from(header.slice("filename ".length), "base64").toString()).toBe(name);
    }),
  );
});
