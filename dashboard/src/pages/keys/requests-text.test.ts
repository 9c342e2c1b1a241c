import { expect, test } from "bun:test";
import { requestsText } from "./requests-text.ts";

const since = "2026-02-09 00:00:00";
const later = "2026-03-10 12:00:00";
const counted = { id: "1", name: "ci", requests: 1204, bytes: 3_200_000, errors: 1 };

test("says what a key has done, without what it has not", () => {
  expect(requestsText(counted, later, since)).toBe("1,204 requests in 30 days, 3.2 MB, 1 error");
  const once = { ...counted, requests: 1, bytes: 0, errors: 0 };
  expect(requestsText(once, later, since)).toBe("1 request in 30 days");
});

test("claims no requests only for a key that was not used meanwhile", () => {
  expect(requestsText(undefined, "2026-02-08 23:59:59", since)).toBe("No requests in 30 days");
  expect(requestsText(undefined, null, since)).toBe("No requests in 30 days");
  expect(requestsText(undefined, since, since)).toBeUndefined();
  expect(requestsText({ ...counted, requests: 0 }, later, since)).toBeUndefined();
});
