import { expect, test } from "bun:test";
import fc from "fast-check";
import { hostingKey } from "./hosting-key.ts";
import { hostingUrl } from "./hosting-url.ts";
import { parseKey, tryParseName } from "./name.ts";

test.each([
  ["a.txt", "a.txt"],
  ["photos/2026/harbour_1~b-c.jpg", "photos/2026/harbour_1~b-c.jpg"],
  ["my folder/a#b?c.png", "my%20folder/a%23b%3Fc.png"],
  ["100%/50%25.txt", "100%25/50%2525.txt"],
  ["a%2Fb", "a%252Fb"],
  ["%2e%2e/x", "%252e%252e/x"],
  ['(1)\'s "x" <y>.txt', "%281%29%27s%20%22x%22%20%3Cy%3E.txt"],
  ["日本語/🎉", "%E6%97%A5%E6%9C%AC%E8%AA%9E/%F0%9F%8E%89"],
  ["a+b&c=d;e:f@g", "a%2Bb%26c%3Dd%3Be%3Af%40g"],
  ["...", "..."],
])("%s is hosted at %s", (key, expected) => {
  expect(hostingUrl(parseKey(key))).toBe(`api/hosting/${expected}`);
});

const anyKey = fc
  .array(
    fc
      .oneof(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "grapheme" }),
        fc.stringMatching(/^[%2eEfF.#? '"()&;+\u00e9-]{1,8}$/),
      )
      .filter((name) => tryParseName(name) !== undefined),
    { minLength: 1, maxLength: 5 },
  )
  .map((names) => parseKey(names.join("/")));

test("decoding the URL of any key segment by segment gives the key", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      const url = new URL(hostingUrl(key), "http://localhost/");
      const segments = url.pathname.split("/").slice(3).map(decodeURIComponent);
      expect(segments.join("/")).toBe(key);
      expect(hostingKey(segments, url.href)).toBe(key);
    }),
    { numRuns: 2000 },
  );
});

test("any URL works unchanged in a browser, an HTML attribute and a Markdown link", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      const url = hostingUrl(key);
      expect(url).toMatch(/^api\/hosting\/[A-Za-z0-9\-._~!*/%]+$/);
      expect(new URL(url, "http://localhost/").href).toBe(`http://localhost/${url}`);
    }),
    { numRuns: 2000 },
  );
});
