import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hostingKey, hostingPathInUrl } from "./hosting-key.ts";
import { MAX_KEY_BYTES, MAX_KEY_SEGMENTS, parseKey, tryParseName } from "./name.ts";

const REPLACEMENT = "\ufffd";

/** Decodes a segment like the runtime, with U+FFFD for invalid UTF-8 and invalid percent-encoding. */
function decoded(segment: string): string {
  const bytes = segment.replace(/%(?![0-9a-f]{2})/gi, encodeURIComponent(REPLACEMENT));
  const raw = Uint8Array.from(unescape(bytes), (char) => char.charCodeAt(0));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(raw);
}

/** The key of a request with this raw path (ASCII). */
function keyOf(path: string, query = ""): string | undefined {
  return hostingKey(path.split("/").map(decoded), `${PREFIX}${path}${query}`);
}

const PREFIX = "http://localhost/api/hosting/";
const keyInUrl = (path: string): string | undefined =>
  hostingPathInUrl("/api/hosting/", `${PREFIX}${path}`).key;

describe("the key of a path", () => {
  test.each([
    ["a.txt", "a.txt"],
    ["my%20folder/a%23b%3Fc.png", "my folder/a#b?c.png"],
    ["a+b", "a+b"],
    ["%61", "a"],
    ["%2525", "%25"],
    ["a%252Fb", "a%2Fb"],
    ["%252e%252e", "%2e%2e"],
    ["...", "..."],
    ["%E6%97%A5", "日"],
    ["%f0%9f%98%80", "😀"],
    ["e%CC%81", "é"],
    ["%EF%BB%BFa", "\ufeffa"],
    ["%EF%BF%BD", REPLACEMENT],
    ["a%EF%BF%BDb/c", `a${REPLACEMENT}b/c`],
    ["constructor/__proto__", "constructor/__proto__"],
    ["a//b", "a/b"],
    ["/a", "a"],
    ["./a/././b", "a/b"],
    ["a/%2e/%2E/b", "a/b"],
    ["./%E6%97%A5//%EF%BF%BD", `日/${REPLACEMENT}`],
  ])("%s gives %j", (path, key) => {
    expect(keyOf(path)).toBe(key);
  });

  test.each([
    ["the root", ""],
    ["a slash at the end", "a/"],
    ["two slashes at the end", "a//"],
    ["a dot at the end", "a/."],
    ["an encoded dot at the end", "a/%2E"],
    ["dots and slashes only", "././/."],
    ["an encoded slash", "a%2Fb"],
    ["an encoded slash in lower case", "a%2fb"],
    ["an encoded backslash", "a%5Cb"],
    ["a backslash", "a\\b"],
    ["NUL", "a%00"],
    ["a control character", "a%1Fb"],
    ["DEL", "a%7F"],
    ["two dots between dots", "a/./%2e./b"],
    ["two dots", "%2E%2e/b"],
    ["white space only", "%20"],
    ["a name of 256 bytes", "x".repeat(256)],
    ["bytes that are not UTF-8", "a%FF"],
    ["a truncated UTF-8 sequence", "a%E6%97"],
    ["an overlong slash", "%C0%AF"],
    ["an encoded surrogate", "%ED%A0%80"],
    ["a lone percent sign", "100%"],
    ["a percent sign without hex digits", "a%zz"],
    ["a truncated escape", "a%2"],
    ["a valid U+FFFD and a broken escape", "%EF%BF%BD/a%"],
    ["a valid U+FFFD and invalid bytes", "%EF%BF%BD%FF"],
  ])("rejects %s", (_, path) => {
    expect(keyOf(path)).toBeUndefined();
  });

  test("accepts unencoded UTF-8 and rejects other unencoded bytes", () => {
    const asLatin1 = (text: string) => Buffer.from(text).toString("latin1");
    const url = (path: string) => `http://localhost/api/hosting/${path}`;
    const encodedUrl = url(`${encodeURIComponent("été")}/a`);
    expect<string | undefined>(hostingKey([asLatin1("été"), "a"], encodedUrl)).toBe("été/a");
    expect<string | undefined>(hostingKey(["été", "a"], encodedUrl)).toBe("été/a");
    expect(
      hostingKey(["\xe9t\xe9"], url(`${encodeURIComponent(REPLACEMENT)}t%EF%BF%BD`)),
    ).toBeUndefined();
  });

  test("ignores the query", () => {
    expect(keyOf("%EF%BF%BD", "?a=%zz&b=%ff")).toBe(REPLACEMENT);
    expect(keyOf("a%FF", "?b=%EF%BF%BD")).toBeUndefined();
  });
});

describe("the key of a path with an empty segment", () => {
  test.each([
    ["a//b", "a/b"],
    ["/a", "a"],
    ["//a/.//b//%2E/c", "a/b/c"],
    ["a//%E6%97%A5%20x?b=//", "a/日 x"],
    ["e%CC%81//a", "é/a"],
  ])("%s gives %j", (path, key) => {
    expect(keyInUrl(path)).toBe(key);
  });

  test.each([
    "",
    "/",
    "a/b",
    "a//",
    "a//.",
    "a//../b",
    "/../../files//a",
    "a//%2e%2e/b",
    "a//b%2Fc",
    "a//b%5Cc",
    "a//b%00",
    "a//%FF",
    "a//%EF%BF%BD",
    "a//100%",
    `${"a/".repeat(MAX_KEY_SEGMENTS)}/a`,
  ])("%s has none", (path) => {
    expect(keyInUrl(path)).toBeUndefined();
  });
});

test("folds dots and empty segments of any path into the same key", () => {
  const folded = fc.array(fc.constantFrom("", ".", "%2e"), { maxLength: 3 });
  const anyNames = fc.array(fc.tuple(folded, fc.constantFrom("a", "..a", "%E6%97%A5")), {
    minLength: 1,
  });
  fc.assert(
    fc.property(anyNames, (parts) => {
      const plain = keyOf(parts.map(([, name]) => name).join("/"));
      const path = parts.flatMap(([before, name]) => [...before, name]).join("/");
      expect(keyOf(path)).toBe(plain);
      expect(keyInUrl(`/${path}`)).toBe(plain);
    }),
  );
});

test("a key has at most 128 segments", () => {
  const deepest = Array(MAX_KEY_SEGMENTS).fill("a").join("/");
  expect(keyOf(deepest)).toBe(deepest);
  expect(keyOf(`${deepest}/a`)).toBeUndefined();
});

test("a key has at most 4,096 bytes", () => {
  const longest = `${"x".repeat(255)}/`.repeat(15) + "x".repeat(MAX_KEY_BYTES - 15 * 256 - 2);
  expect(keyOf(`${longest}/x`)).toBe(`${longest}/x`);
  expect(keyOf(`${longest}/xx`)).toBeUndefined();
});

const anyName = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.stringMatching(/^[%2eEfF.#? ;+\u00e9\ufffd-]{1,8}$/),
  )
  .filter((text) => tryParseName(text) !== undefined);
const anyKey = fc
  .array(anyName, { minLength: 1, maxLength: 6 })
  .map((names) => parseKey(names.join("/")));

const encoded = (key: string): string => key.split("/").map(encodeURIComponent).join("/");

test("decodes any encoded key", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      expect(keyOf(encoded(key))).toBe(key);
      const lower = encoded(key).replace(/%../g, (code) => code.toLowerCase());
      expect(keyOf(lower)).toBe(key);
    }),
    { numRuns: 1000 },
  );
});

test("rejects any key with broken percent-encoding", () => {
  const brokenEncoding = fc.constantFrom("%", "%f", "%fg", "%FF", "%C3", "%80", "%ED%A0%80");
  fc.assert(
    fc.property(anyKey, brokenEncoding, fc.nat(), (key, broken, at) => {
      const names = key.split("/");
      const position = at % (names.length + 1);
      const path = names.map(encodeURIComponent).toSpliced(position, 0, `a${broken}`).join("/");
      expect(keyOf(path)).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
});

test("returns only normalized keys", () => {
  const anyPath = fc.stringMatching(/^([%a/.~ -]|%[0-9a-fA-F]{2}|%C3%A9){0,12}$/);
  fc.assert(
    fc.property(anyPath, (path) => {
      const key = keyOf(path);
      if (key !== undefined) expect<string>(parseKey(key)).toBe(key);
    }),
    { numRuns: 2000 },
  );
});
