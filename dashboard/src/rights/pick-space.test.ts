import { expect, test } from "bun:test";
import type { SpaceObject } from "../../../sdk/src/holdall.ts";
import { pickSpace } from "./pick-space.ts";

const space = (id: string, key: string | null): SpaceObject => ({
  id,
  folder: { id: `folder ${id}`, key },
  actions: ["list"],
});

const photos = space("1", "photos");
const plans = space("2", "plans/2026");
const gone = space("3", null);
const all = [gone, photos, plans];

test.each([
  ["the space of the shown folder", "1", "plans/2026/may", plans],
  ["the last one, if it has the shown folder", "1", "photos", photos],
  ["the last one, if no space has the shown folder", "2", "elsewhere", plans],
  ["the last one, if no folder is shown", "2", undefined, plans],
  ["no folder whose name only begins alike", "2", "photos-2", plans],
  ["the first whose folder is there", null, undefined, photos],
  ["another one, if the last is gone", "9", undefined, photos],
] as const)("picks %s", (_name, last, key, expected) => {
  expect(pickSpace(all, last, key)).toBe(expected);
});

test("picks one in the trash rather than none, and none if there is none", () => {
  expect(pickSpace([gone], null, undefined)).toBe(gone);
  expect(pickSpace([], "1", "photos")).toBeUndefined();
});
