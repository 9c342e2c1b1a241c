import { expect, test } from "bun:test";
import { formatExactBytes } from "./format-exact-bytes.ts";

test.each([
  [0, "0 bytes"],
  [1001, "1,001 bytes"],
  [1000, "1 KB"],
  [50_000_000, "50 MB"],
  [1_024_000, "1,000 KiB"],
  [1024, "1 KiB"],
  [5 * 1024 ** 3, "5 GiB"],
  [1.5 * 1024 ** 3, "1,536 MiB"],
])("formats %d bytes as %s", (bytes, text) => {
  expect(formatExactBytes(bytes)).toBe(text);
});
