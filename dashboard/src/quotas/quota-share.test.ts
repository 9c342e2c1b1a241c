import { expect, test } from "bun:test";
import { quotaShare, quotaState } from "./quota-share.ts";

const quota = (usedBytes: number, maxBytes: number | null, usedFiles = 0, maxFiles?: number) => ({
  usedBytes,
  maxBytes,
  usedFiles,
  maxFiles: maxFiles ?? null,
});

test("the nearest limit counts", () => {
  expect(quotaShare(quota(50, 100))).toBe(0.5);
  expect(quotaShare(quota(50, 100, 3, 4))).toBe(0.75);
  expect(quotaShare(quota(50, null, 0, 4))).toBe(0);
  expect(quotaShare(quota(0, 0))).toBe(1);
});

test("a quota is nearly full at 90 %, and full when nothing more fits", () => {
  expect([89, 90, 99, 100, 120].map((used) => quotaState(quota(used, 100)))).toEqual([
    "free",
    "nearly full",
    "nearly full",
    "full",
    "full",
  ]);
});
