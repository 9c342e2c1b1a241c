import { expect, test } from "bun:test";
import fc from "fast-check";
import { etag, httpDate, parseHttpDate } from "./etag.ts";

const EXAMPLE = Date.UTC(1994, 10, 6, 8, 49, 37);
const NOW = Date.UTC(2026, 5, 15, 12);

test("the entity tag is strong and contains size and modification time in hexadecimal", () => {
  expect(etag(2048, 1769851800000)).toBe('"800-19c136349c0"');
  expect(etag(0, 0)).toBe('"0-0"');
});

test("two versions have the same tag only if size and time are equal", () => {
  const version = fc.tuple(fc.maxSafeNat(), fc.maxSafeNat());
  fc.assert(
    fc.property(version, version, ([size, at], [otherSize, otherAt]) => {
      expect(etag(size, at)).toMatch(/^"[0-9a-f]+-[0-9a-f]+"$/);
      expect(etag(size, at) === etag(otherSize, otherAt)).toBe(
        size === otherSize && at === otherAt,
      );
    }),
  );
});

test("formats a date in whole seconds, rounded down", () => {
  expect(httpDate(EXAMPLE)).toBe("Sun, 06 Nov 1994 08:49:37 GMT");
  expect(httpDate(EXAMPLE + 999)).toBe("Sun, 06 Nov 1994 08:49:37 GMT");
  expect(httpDate(Date.UTC(2026, 0, 1))).toBe("Thu, 01 Jan 2026 00:00:00 GMT");
});

test.each([
  ["IMF-fixdate", "Sun, 06 Nov 1994 08:49:37 GMT"],
  ["RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT"],
  ["asctime", "Sun Nov  6 08:49:37 1994"],
])("parses a date in the form %s", (_, text) => {
  expect(parseHttpDate(text, NOW)).toBe(EXAMPLE);
});

test.each([
  ["Thu, 29 Feb 2024 00:00:00 GMT", Date.UTC(2024, 1, 29)],
  ["Sat, 31 Dec 2016 23:59:60 GMT", Date.UTC(2017, 0, 1)],
  ["Wed Nov 16 08:49:37 1994", Date.UTC(1994, 10, 16, 8, 49, 37)],
  ["Sat, 01 Jan 0050 00:00:00 GMT", new Date(0).setUTCFullYear(50, 0, 1)],
])("parses %s", (text, instant) => {
  expect(parseHttpDate(text, NOW)).toBe(instant);
});

test.each([
  "",
  "0",
  "1783000000",
  "2026-01-31T09:30:00Z",
  "Sun, 06 Nov 1994 08:49:37",
  "Sun, 06 Nov 1994 08:49:37 UTC",
  "Sun, 06 Nov 1994 08:49:37 +0000",
  "Sun, 06 Nov 1994 08:49:37 GMT; length=5",
  "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
  " Sun, 06 Nov 1994 08:49:37 GMT",
  "Sun, 06 Nov 1994 08:49:37 GMT\n",
  "Sun,06 Nov 1994 08:49:37 GMT",
  "Sun, 6 Nov 1994 08:49:37 GMT",
  "Sun, 06 nov 1994 08:49:37 GMT",
  "sun, 06 Nov 1994 08:49:37 GMT",
  "Sun, 06 Nov 94 08:49:37 GMT",
  "Mon, 06 Nov 1994 08:49:37 GMT",
  "Thu, 30 Feb 2023 00:00:00 GMT",
  "Wed, 29 Feb 2023 00:00:00 GMT",
  "Sun, 00 Nov 1994 08:49:37 GMT",
  "Sun, 06 Nov 1994 24:00:00 GMT",
  "Sun, 06 Nov 1994 08:60:00 GMT",
  "Sun, 06 Nov 1994 08:49:60 GMT",
  "Sun, 06 Nov 1994 23:59:61 GMT",
  "Sun, 06-Nov-94 08:49:37 GMT",
  "Sunday, 06-Nov-1994 08:49:37 GMT",
  "Monday, 06-Nov-94 08:49:37 GMT",
  "Sun Nov 6 08:49:37 1994",
  "Sun Nov 06 08:49:37 1994 GMT",
  "Mon Nov  6 08:49:37 1994",
])("rejects the date %j", (text) => {
  expect(parseHttpDate(text, NOW)).toBeUndefined();
});

test("a two-digit year is at most 50 years ahead", () => {
  const inYear = (year: number, date: string) => {
    const day = new Date(`${year}-01-01T00:00:00Z`).toLocaleDateString("en", {
      weekday: "long",
      timeZone: "UTC",
    });
    return parseHttpDate(`${day}, ${date} 00:00:00 GMT`, NOW);
  };
  expect(inYear(2026, "01-Jan-26")).toBe(Date.UTC(2026, 0, 1));
  expect(inYear(2076, "01-Jan-76")).toBe(Date.UTC(2076, 0, 1));
  expect(inYear(1977, "01-Jan-77")).toBe(Date.UTC(1977, 0, 1));
  expect(inYear(1999, "01-Jan-99")).toBe(Date.UTC(1999, 0, 1));
});

test("parses every instant in all three forms", () => {
  const instant = fc
    .integer({ min: Date.UTC(1980, 0, 1) / 1000, max: Date.UTC(2070, 0, 1) / 1000 })
    .map((seconds) => seconds * 1000);
  fc.assert(
    fc.property(instant, fc.nat(999), (at, milliseconds) => {
      const text = httpDate(at + milliseconds);
      const [day = "", date = "", month = "", year = "", time = ""] = text.split(/[ ,]+/);
      const asctime = `${day} ${month} ${date.replace(/^0/, " ")} ${time} ${year}`;
      const longDay = new Date(at).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
      const rfc850 = `${longDay}, ${date}-${month}-${year.slice(2)} ${time} GMT`;
      expect(parseHttpDate(text, NOW)).toBe(at);
      expect(parseHttpDate(asctime, NOW)).toBe(at);
      expect(parseHttpDate(rfc850, NOW)).toBe(at);
    }),
  );
});

test("formatting a parsed date gives the same text", () => {
  const two = fc.nat(99).map((n) => String(n).padStart(2, "0"));
  const text = fc
    .tuple(
      fc.constantFrom("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"),
      two,
      fc.constantFrom("Jan", "Feb", "Apr", "Dec"),
      fc.nat(9999).map((n) => String(n).padStart(4, "0")),
      fc.tuple(two, two, two).filter(([, , second]) => second !== "60"),
    )
    .map(
      ([day, date, month, year, time]) => `${day}, ${date} ${month} ${year} ${time.join(":")} GMT`,
    );
  fc.assert(
    fc.property(text, (candidate) => {
      const at = parseHttpDate(candidate, NOW);
      if (at !== undefined) expect(httpDate(at)).toBe(candidate);
    }),
    { numRuns: 5000 },
  );
});
