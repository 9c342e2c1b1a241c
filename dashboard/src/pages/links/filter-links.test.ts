import { expect, test } from "bun:test";
import type { LinkObject } from "../../../../sdk/src/holdall.ts";
import { filterLinks, NO_FILTER } from "./filter-links.ts";

const link = (id: string, more: object = {}): LinkObject =>
  ({
    id,
    title: null,
    kind: "read",
    state: "active",
    visits: 0,
    expiresAt: null,
    subject: { kind: "file", id, key: `photos/${id}.jpg`, name: `${id}.jpg` },
    createdBy: { kind: "account", id: "a", name: "ada@example.com" },
    ...more,
  }) as LinkObject;

const links = [
  link("harbour", { title: "Été au port", expiresAt: "2027-01-01 00:00:00", visits: 3 }),
  link("gull", { kind: "drop", visits: 9 }),
  link("tide", { state: "expired", expiresAt: "2026-01-01 00:00:00" }),
  link("gone", { subject: { kind: "file", id: "g", key: null, name: "Report شركة.pdf" } }),
];

const found = (filter: Partial<typeof NO_FILTER>) =>
  filterLinks(links, { ...NO_FILTER, ...filter }).map(({ id }) => id);

test.each([
  ["", ["harbour", "gull", "tide", "gone"]],
  ["  ete PORT ", ["harbour"]],
  ["photos", ["harbour", "gull", "tide"]],
  ["شركة", ["gone"]],
  ["ada gull", ["gull"]],
  ["nothing", []],
])("%j finds %j", (text, ids) => {
  expect(found({ text })).toEqual(ids);
});

test("kinds and ends are filtered", () => {
  expect(found({ kind: "drop" })).toEqual(["gull"]);
  expect(found({ kind: "ended" })).toEqual(["tide"]);
});

test("links that end soon or have many visits come first", () => {
  expect(found({ order: "expiry" })).toEqual(["tide", "harbour", "gull", "gone"]);
  expect(found({ order: "visits" })).toEqual(["gull", "harbour", "tide", "gone"]);
});
