import { expect, test } from "bun:test";
import { formatExactBytes } from "./format-exact-bytes.ts";

test.each([
  [0, "0 bytes"],
  [1000, "1,000 bytes"],
  [1024, "1 KiB"],
  [5 * 1024 ** 3, "5 GiB"],
  [1.5 * 1024 ** 3, "1,536 MiB"],
])("formats %d bytes as %s", (bytes, text) => {
  expect(formatExactBytes(bytes)).toBe(text);
});
