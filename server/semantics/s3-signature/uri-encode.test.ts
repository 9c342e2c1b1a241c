import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalPath, canonicalQuery, uriEncode } from "./uri-encode.ts";

const text = fc.string({ unit: "binary" });

describe("uriEncode", () => {
  test("encodes all but the unreserved characters", () => {
    expect(uriEncode("aZ09-._~")).toBe("aZ09-._~");
    expect(uriEncode("a b/ä+*'()!$&=@:,;")).toBe(
      "a%20b%2F%C3%A4%2B%2A%27%28%29%21%24%26%3D%40%3A%2C%3B",
    );
    expect(uriEncode("\ud800😀")).toBe("%EF%BF%BD%F0%9F%98%80");
  });

  test("is undone by decodeURIComponent", () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(decodeURIComponent(uriEncode(value))).toBe(value);
      }),
    );
  });
});

describe("the canonical path", () => {
  test.each([
    ["/a%2fb/c", "/a/b/c"],
    ["/%7Ea%2D", "/~a-"],
    ["/a'b(c)*!+@", "/a%27b%28c%29%2A%21%2B%40"],
    ["/%c3%a4", "/%C3%A4"],
    ["/a//b/", "/a//b/"],
    ["/%zz%", "/%25zz%25"],
    ["/ä", "/%C3%A4"],
    ["/%ff", "/%FF"],
  ])("of %s is %s", (path, canonical) => {
    expect(canonicalPath(path)).toBe(canonical);
  });

  test("does not depend on which characters the client has encoded", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.boolean())), (parts) => {
        const sent = parts.map(([part, all]) => (all ? uriEncode(part) : encodeURIComponent(part)));
        const decoded = parts.map(([part]) => part).join("/");
        expect(canonicalPath(sent.join("/"))).toBe(decoded.split("/").map(uriEncode).join("/"));
      }),
    );
  });
});

describe("the canonical query", () => {
  test.each([
    ["", ""],
    ["lifecycle", "lifecycle="],
    ["b=2&a=1&&B=3", "B=3&a=1&b=2"],
    ["a=2&a=1", "a=1&a=2"],
    ["a=x+y%20z", "a=x%20y%20z"],
    ["a=b=c/d", "a=b%3Dc%2Fd"],
    ["X-Amz-Signature=1&a=1&X-Amz%2DSignature=2", "a=1"],
  ])("of %s is %s", (query, canonical) => {
    expect(canonicalQuery(query, "X-Amz-Signature")).toBe(canonical);
  });

  test("has the same parameters as URLSearchParams, sorted", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
        const search = new URLSearchParams(pairs);
        const expected = [...search]
          .map(([name, value]) => [uriEncode(name), uriEncode(value)] as const)
          .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1));
        expect(canonicalQuery(search.toString())).toBe(
          expected.map(([name, value]) => `${name}=${value}`).join("&"),
        );
      }),
    );
  });
});
