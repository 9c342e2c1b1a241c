import { expect, test } from "bun:test";
import fc from "fast-check";
import { processorTime } from "../../../test/processor-time.fixture.ts";
import { Fault } from "../faults/fault.ts";
import type { Name } from "../records.ts";
import {
  childKey,
  joinKey,
  keyNames,
  MAX_KEY_BYTES,
  MAX_NAME_BYTES,
  parseKey,
  parseName,
  ROOT_KEY,
  splitKey,
  tryParseName,
} from "./name.ts";

const invalid = expect.objectContaining({ kind: "invalid" });
const bytes = (text: string) => Buffer.byteLength(text);

test.each([
  "a",
  "a.txt",
  "...",
  ".hidden",
  "end.",
  " a ",
  `it's "quoted"`,
  "100%",
  "a%2Fb",
  "a#b?c&d=e",
  "a:b*c<d>e|f",
  "CON",
  "日本語.txt",
  "🎉👩‍👩‍👧",
  "مرحبا.txt",
  "\u202egpj.exe",
  "\u200b",
  "a\u0080",
  "\ufffd",
])("accepts the name %j", (text) => {
  expect<string>(parseName(text)).toBe(text);
  expect<string | undefined>(tryParseName(text)).toBe(text);
});

test.each([
  ["", "empty"],
  [" ", "white space"],
  ["\u3000\u00a0\u2003", "white space"],
  ["\u0085", "white space"],
  [".", "`.`"],
  ["..", "`..`"],
  ["/", "segment"],
  ["a/b", "segment"],
  ["a\\b", "segment"],
  ["../a", "segment"],
  ["a\0b", "control"],
  ["a\nb", "control"],
  ["\u001b[31m", "control"],
  ["a\u007f", "control"],
  ["a\ud800", "surrogates"],
  ["\udc00a", "surrogates"],
  ["\udc00\ud800", "surrogates"],
])("rejects the name %j: %s", (text, reason) => {
  expect(() => parseName(text)).toThrow(invalid);
  expect(() => parseName(text)).toThrow(reason);
  expect(tryParseName(text)).toBeUndefined();
});

test("accepts names of up to 255 bytes of UTF-8 and rejects longer ones", () => {
  for (const char of ["x", "é", "日", "🎉"]) {
    const longest = char.repeat(Math.floor(MAX_NAME_BYTES / bytes(char)));
    expect<string>(parseName(longest)).toBe(longest);
    expect(() => parseName(longest + char)).toThrow(invalid);
    expect(() => parseName(longest + char)).toThrow("255 bytes");
    expect(tryParseName(longest + char)).toBeUndefined();
  }
  expect(() => parseName("x".repeat(1_000_000))).toThrow("this one has 1000000");
});

test("normalizes decomposed names, as macOS sends them, to NFC", () => {
  expect<string>(parseName("re\u0301sume\u0301")).toBe("résumé");
  expect<string>(parseName("\u1112\u1161\u11ab")).toBe("한");
  expect<string>(parseName("\u212b")).toBe("Å");
});

test("limits the length in NFC", () => {
  for (const char of ["é", "한", "ǖ", "ᾂ", "\u{2f800}"]) {
    const composed = char.normalize("NFC");
    const longest = composed.repeat(Math.floor(MAX_NAME_BYTES / bytes(composed)));
    expect<string>(parseName(longest.normalize("NFD"))).toBe(longest);
    expect(tryParseName(`${longest}${char}`.normalize("NFD"))).toBeUndefined();
  }
  expect<string>(parseName("\u{2f800}".repeat(85))).toBe("丽".repeat(85));
});

test("rejects a megabyte of combining marks fast", () => {
  const marks = `a${"\u0301\u0316".repeat(500_000)}`;
  const start = processorTime();
  expect(tryParseName(marks)).toBeUndefined();
  expect(() => parseName(marks)).toThrow(invalid);
  expect(() => parseKey(marks)).toThrow(invalid);
  expect(() => parseKey(marks.slice(0, 8000))).toThrow(invalid);
  expect(processorTime() - start).toBeLessThan(500);
});

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.string(),
  fc
    .array(fc.constantFrom(".", "/", "\\", " ", "\0", "e", "\ud800", "\u0301"), { maxLength: 6 })
    .map((units) => units.join("")),
);

test("accepted names obey every rule, and parsing is idempotent", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const name = tryParseName(text);
      if (name === undefined) return;
      expect(parseName(text)).toBe(name);
      expect(parseName(name)).toBe(name);
      expect<string>(name).toBe(text.normalize("NFC"));
      expect(name.isWellFormed()).toBe(true);
      expect(bytes(name)).toBeWithin(1, 256);
      expect([".", ".."]).not.toContain(name);
      expect(name.trim()).not.toBe("");
      expect([...name].some((char) => char < " " || "/\\\u007f".includes(char))).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test("parseName throws a Fault exactly if tryParseName returns undefined", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let refusal: unknown;
      try {
        parseName(text);
      } catch (error) {
        refusal = error;
      }
      expect(refusal instanceof Fault).toBe(tryParseName(text) === undefined);
      if (refusal instanceof Fault) expect(refusal.message).toMatch(/^A name must .+\.$/);
    }),
  );
});

const anyName = anyText.map(tryParseName).filter((name): name is Name => name !== undefined);
const anyNames = fc.array(anyName, { maxLength: 8 });
const slashes = fc.constantFrom("/", "//", "///");

test("parseKey ignores extra slashes, and keyNames returns the names", () => {
  fc.assert(
    fc.property(anyNames, slashes, slashes, (names, between, around) => {
      const key = parseKey(`${around}${names.join(between)}${around}`);
      expect(key).toBe(joinKey(names));
      expect(keyNames(key)).toEqual(names);
      expect<string>(key.normalize("NFC")).toBe(key);
    }),
  );
});

test("childKey appends the name to the folder's key", () => {
  fc.assert(
    fc.property(anyNames, anyName, (names, name) => {
      expect(keyNames(childKey(joinKey(names), name))).toEqual([...names, name]);
    }),
  );
  expect<string>(childKey(ROOT_KEY, parseName("a"))).toBe("a");
});

test.each([
  ["", ""],
  ["/", ""],
  ["///", ""],
  ["a", "a"],
  ["/a/", "a"],
  ["a//b///c", "a/b/c"],
  [" a / b ", " a / b "],
  ["e\u0301/x", "é/x"],
])("parses path %j as key %j", (path, key) => {
  expect<string>(parseKey(path)).toBe(key);
});

test.each([
  "..",
  "a/..",
  "./a",
  "a/./b",
  "a\\b",
  "a/ /b",
  "a\0",
  "a/\ud800",
  `a/${"x".repeat(256)}`,
])("rejects path %j for an invalid segment", (path) => {
  expect(() => parseKey(path)).toThrow(invalid);
});

test("accepts keys of up to 128 segments and 4,096 bytes and rejects longer ones", () => {
  const deepest = Array(128).fill("a").join("/");
  expect<string>(parseKey(deepest)).toBe(deepest);
  expect(() => parseKey(`${deepest}/a`)).toThrow(invalid);
  expect(() => childKey(parseKey(deepest), parseName("a"))).toThrow(invalid);

  const longest = Array(16).fill("x".repeat(255)).join("/");
  expect(longest.length).toBe(MAX_KEY_BYTES - 1);
  expect<string>(parseKey(longest)).toBe(longest);
  const full = `${longest.slice(0, -255)}${"x".repeat(253)}/xx`;
  expect(bytes(full)).toBe(MAX_KEY_BYTES);
  expect<string>(parseKey(full)).toBe(full);
  expect(() => parseKey(`${full}x`)).toThrow(invalid);
});

test("limits the bytes of a key, not its characters", () => {
  const name = "日".repeat(85);
  const path = Array(16).fill(name).join("/");
  expect<string>(parseKey(path.normalize("NFD"))).toBe(path);
  expect(() => parseKey(`${path}/x`)).toThrow(invalid);
});

test("accepts the decomposed form of the longest key", () => {
  const longest = Array(16).fill("ǖ".repeat(127)).join("/");
  expect<string>(parseKey(longest.normalize("NFD"))).toBe(longest);
});

test("rejects very long and very deep paths fast", () => {
  const start = processorTime();
  for (const path of ["a/".repeat(10_000), "x".repeat(10_000_000), "/".repeat(10_000_000)]) {
    expect(() => parseKey(path)).toThrow(invalid);
  }
  expect(processorTime() - start).toBeLessThan(500);
});

test("splitKey returns the folder and the name", () => {
  expect(splitKey(ROOT_KEY)).toBeUndefined();
  const anyName = fc.string({ minLength: 1, maxLength: 20 }).map(tryParseName);
  const someNames = fc.array(
    anyName.filter((name) => name !== undefined),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(someNames, (names) => {
      const name = names.at(-1) ?? fail();
      expect(splitKey(joinKey(names))).toEqual({ folder: joinKey(names.slice(0, -1)), name });
    }),
  );
});

const fail = (): never => {
  throw new Error("The list of names is empty.");
};
