import { expect, test } from "bun:test";
import { isBucketName } from "./bucket-name.ts";

test.each(["abc", "a-b.c", "0ab", "a".repeat(63), "photos-2026", "1.2.3"])("%p is one", (name) => {
  expect(isBucketName(name)).toBe(true);
});

test.each([
  ...["", "ab", "a".repeat(64), "Abc", "a_b", "-ab", "ab-", ".ab", "ab.", "a..b", "a.-b", "a-.b"],
  ...["127.0.0.1", "a b", "ä-b", "a/b", "abc\n"],
])("%p is none", (name) => {
  expect(isBucketName(name)).toBe(false);
});
