import { expect, test } from "bun:test";
import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";
import { keyStatus } from "./key-expiry.ts";

const now = new Date("2026-03-01T12:00:00Z");

test.each([
  [null, "active"],
  ["2026-03-01 11:59:59", "expired"],
  ["2026-03-01 12:00:00", "expired"],
  ["2026-03-08 12:00:00", "soon"],
  ["2026-03-08 12:00:01", "active"],
] as const)("a key that expires at %p is %s", (expiresAt, state) => {
  const key: ApiKeyObject = {
    id: "1",
    name: "a",
    prefix: "hd_1",
    createdAt: "",
    lastUsedAt: null,
    expiresAt,
    actions: ["admin"],
    folder: null,
    parentId: null,
    accountId: null,
    oldSecretExpiresAt: null,
  };
  expect(keyStatus(key, now)).toBe(state);
});
