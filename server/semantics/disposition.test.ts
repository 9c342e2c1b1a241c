import { expect, test } from "bun:test";
import { parse } from "content-disposition";
import fc from "fast-check";
import { parseName, tryParseName } from "../domain/names/name.ts";
import type { Name } from "../domain/records.ts";
import { contentDisposition } from "./disposition.ts";

test.each([
  ["report.pdf", "report.pdf", "report.pdf"],
  ["my file (1).txt", "my file (1).txt", "my%20file%20%281%29.txt"],
  ["résumé.txt", "r_sum_.txt", "r%C3%A9sum%C3%A9.txt"],
  ["日本語.txt", "___.txt", "%E6%97%A5%E6%9C%AC%E8%AA%9E.txt"],
  ["🎉.png", "_.png", "%F0%9F%8E%89.png"],
  ['say "hi".txt', "say _hi_.txt", "say%20%22hi%22.txt"],
  ["a;b=c,d.txt", "a;b=c,d.txt", "a%3Bb%3Dc%2Cd.txt"],
  ["100% done.txt", "100% done.txt", "100%25%20done.txt"],
  ["a%20b.txt", "a_20b.txt", "a%2520b.txt"],
  ["it's*.txt", "it's*.txt", "it%27s%2A.txt"],
  ["a\u0080\u0085b", "a__b", "a%C2%80%C2%85b"],
  ["\u202etxt.exe", "_txt.exe", "%E2%80%AEtxt.exe"],
])("encodes %j in ASCII and in UTF-8", (name, ascii, utf8) => {
  expect(contentDisposition("attachment", parseName(name))).toBe(
    `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`,
  );
});

test("starts with the disposition type", () => {
  expect(contentDisposition("inline", parseName("a"))).toStartWith("inline; ");
  expect(contentDisposition("attachment", parseName("a"))).toStartWith("attachment; ");
});

const anyName = fc
  .oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.string())
  .map(tryParseName)
  .filter((name): name is Name => name !== undefined);

test("a parser reads any name back from the header, which is printable ASCII", () => {
  fc.assert(
    fc.property(anyName, fc.constantFrom("inline", "attachment"), (name, type) => {
      const header = contentDisposition(type, name);
      expect(header).toMatch(/^[\x20-\x7e]+$/);
      const parsed = parse(header);
      expect(parsed.type).toBe(type);
      expect(Object.keys(parsed.parameters).sort()).toEqual(["filename", "filename*"]);
      expect(parsed.parameters.filename).toBe(name);
    }),
    { numRuns: 2000 },
  );
});

test("the ASCII name contains no quotes and no percent-encoding", () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const ascii = /filename="([^"\\]*)"; filename\*=/.exec(
        contentDisposition("inline", name),
      )?.[1];
      expect(ascii?.length).toBe([...name].length);
      expect(ascii).not.toMatch(/%[0-9a-f]{2}/i);
      if (/^[\w. -]+$/.test(name)) expect(ascii).toBe(name);
    }),
  );
});
