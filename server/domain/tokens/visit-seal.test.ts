import { expect, test } from "bun:test";
import fc from "fast-check";
import { createVisitSeal, VISIT_SECONDS } from "./visit-seal.ts";

const visitSeal = createVisitSeal("secret");
const link = { id: "0197-link", passwordVersion: 3 };
const NOW = Date.UTC(2026, 0, 31);
const value = visitSeal.seal(link, NOW);

test("a sealed visit is valid for 24 hours", () => {
  expect(visitSeal.verify(link, value, NOW)).toBe(true);
  expect(visitSeal.verify(link, value, NOW + VISIT_SECONDS * 1000 - 1)).toBe(true);
  expect(visitSeal.verify(link, value, NOW + VISIT_SECONDS * 1000)).toBe(false);
});

test("a sealed visit is valid for its link, its password and its secret only", () => {
  expect(visitSeal.verify({ ...link, id: "0197-other" }, value, NOW)).toBe(false);
  expect(visitSeal.verify({ ...link, passwordVersion: 4 }, value, NOW)).toBe(false);
  expect(createVisitSeal("other").verify(link, value, NOW)).toBe(false);
});

test("no other text is a sealed visit", () => {
  const [end = "", code = ""] = value.split(".");
  const later = `${Number(end) + 1}.${code}`;
  const texts = ["", ".", value.slice(0, -1), `${value}A`, `0${value}`, later, `${end}.`];
  for (const text of texts) expect(visitSeal.verify(link, text, NOW)).toBe(false);
  fc.assert(
    fc.property(fc.nat(), fc.base64String(), (number, text) => {
      expect(visitSeal.verify(link, `${number}.${text}`, NOW)).toBe(false);
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: value.length - 1 }), fc.string(), (at, text) => {
      const changed = value.slice(0, at) + text + value.slice(at + 1);
      expect(visitSeal.verify(link, changed, NOW)).toBe(changed === value);
    }),
  );
});
