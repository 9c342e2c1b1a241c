import { expect, test } from "bun:test";
import { isBucket } from "./is-bucket.ts";

test.each([
  ["photos", "photos", true],
  ["photos.2026", "photos.2026", true],
  ["Photos", "Photos", false],
  ["my photos", "my photos", false],
  ["ab", "ab", false],
  ["photos/harbour", "harbour", false],
  ["", "", false],
] as const)("whether the folder %p is a bucket", (key, name, expected) => {
  expect(isBucket({ key, name })).toBe(expected);
});
