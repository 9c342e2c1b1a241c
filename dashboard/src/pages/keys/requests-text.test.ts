import { expect, test } from "bun:test";
import { requestsText } from "./requests-text.ts";

test("says what a key has done, without what it has not", () => {
  const traffic = { id: "1", name: "ci", requests: 1204, bytes: 3_200_000, errors: 1 };
  expect(requestsText(traffic)).toBe("1,204 requests in 30 days, 3.2 MB, 1 error");
  expect(requestsText({ ...traffic, requests: 1, bytes: 0, errors: 0 })).toBe(
    "1 request in 30 days",
  );
  expect(requestsText(undefined)).toBe("No requests in 30 days");
});
