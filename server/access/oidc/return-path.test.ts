import { expect, test } from "bun:test";
import fc from "fast-check";
import { safeReturnPath } from "./return-path.ts";

const ORIGIN = "https://files.example.com";

test.each([
  ["/files", "/files"],
  ["/files/a%20b?view=grid&sort=name#x", "/files/a%20b?view=grid&sort=name#x"],
  ["/files/é", "/files/%C3%A9"],
  [undefined, "/files"],
  ["", "/files"],
  ["files", "/files"],
  ["//evil.example.com", "/files"],
  ["/\\evil.example.com", "/files"],
  ["/a\\b", "/files"],
  ["\\\\evil.example.com", "/files"],
  ["/\n/evil.example.com", "/files"],
  ["/..//evil.example.com", "/files"],
  ["/%2e%2e//evil.example.com", "/files"],
  ["/a/..//evil.example.com", "/files"],
  ["https:/evil.example.com", "/files"],
  ["javascript:alert(1)", "/files"],
  [`/${"x".repeat(1500)}`, "/files"],
])("%j leads to %s", (given, expected) => {
  expect(safeReturnPath(given)).toBe(expected);
});

test("whatever is given, a browser stays on the site", () => {
  const piece = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "%2f",
    "%5c",
    "%2e",
    "@",
    ":",
    "?",
    "#",
    "a",
    "\t",
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join("")}`),
    fc.string({ unit: "binary" }),
    fc.webUrl(),
  );
  fc.assert(
    fc.property(text, (given) => {
      const path = safeReturnPath(given);
      expect(path).toStartWith("/");
      expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
      expect(new URL(`${ORIGIN}${path}`).origin).toBe(ORIGIN);
      // It is sent in a header.
      expect(path).toMatch(/^[\x21-\x7e]+$/);
    }),
    { numRuns: 2000 },
  );
});
