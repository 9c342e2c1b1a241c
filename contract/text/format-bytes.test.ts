import { expect, test } from "bun:test";
import { formatBytes } from "./format-bytes.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 KB"],
  [1_550, "1.6 KB"],
  [99_949, "99.9 KB"],
  [99_950, "100 KB"],
  [999_499, "999 KB"],
  [999_500, "1.0 MB"],
  [5_368_709_120, "5.4 GB"],
  [9_007_199_254_740_991, "9.0 PB"],
])("formats %d bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
