import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "../domain/faults/fault.ts";
import { formatTusMetadata, MAX_TUS_METADATA, parseTusMetadata } from "./tus-metadata.ts";

const keys = fc.stringMatching(/^[\x21-\x2b\x2d-\x7e]{1,20}$/);
const texts = fc.string({ unit: "binary", maxLength: 40 });

test("reads the example of the protocol", () => {
  const header = "filename d29ybGRfZG9taW5hdGlvbl9wbGFuLnBkZg==,is_confidential";
  expect([...parseTusMetadata(header)]).toEqual([
    ["filename", "world_domination_plan.pdf"],
    ["is_confidential", ""],
  ]);
});

test("reads what it writes", () => {
  const pairs = fc.uniqueArray(fc.tuple(keys, texts), { selector: ([key]) => key, maxLength: 20 });
  fc.assert(
    fc.property(pairs, (all) => {
      const header = formatTusMetadata(all);
      expect(header).toMatch(/^[\x20-\x7e]*$/);
      expect([...parseTusMetadata(header)]).toEqual(all);
    }),
  );
});

describe("refuses", () => {
  test.each([
    ["a value that is no base64", "filename world.pdf"],
    ["base64 of a wrong length", "filename d29yb"],
    ["a key without a name", " ,x YQ=="],
    ["two values", "filename YQ== YQ=="],
    ["a repeated key", "a YQ==,a YQ=="],
    ["an empty pair", "a YQ==,,b YQ=="],
    ["a value that is no UTF-8", "a /w=="],
    ["a key that is not ASCII", "naïve YQ=="],
    ["a long header", `a ${"YWFh".repeat(MAX_TUS_METADATA / 4)}`],
  ])("%s", (_, header) => expect(() => parseTusMetadata(header)).toThrow(Fault));
});

test("decoded values may contain line breaks, but what is written never does", () => {
  const value = "a\r\nSet-Cookie: x=1";
  const header = formatTusMetadata([["filename", value]]);
  expect(header).not.toMatch(/[\r\n]/);
  expect(parseTusMetadata(header).get("filename")).toBe(value);
});

test("any text is parsed or a fault", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      try {
        parseTusMetadata(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
      }
    }),
  );
});
