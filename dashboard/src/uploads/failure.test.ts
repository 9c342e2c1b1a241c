import { expect, test } from "bun:test";
import { HoldallError } from "../../../sdk/src/connection/error.ts";
import { failureOf } from "./failure.ts";

test.each([
  [0, "none", "interrupted"],
  [503, "none", "interrupted"],
  [500, "none", "refused"],
  [500, "upload", "interrupted"],
  [409, "none", "refused"],
  [409, "upload", "interrupted"],
  [409, "batch", "interrupted"],
  [423, "upload", "interrupted"],
  [404, "none", "refused"],
  [404, "upload", "gone"],
  [410, "batch", "gone"],
  [401, "upload", "session"],
  [429, "upload", "limit"],
  [507, "batch", "full"],
  [413, "upload", "refused"],
  [422, "upload", "refused"],
] as const)("status %p of a request for %p means %p", (status, target, kind) => {
  expect(failureOf(new HoldallError(status, "why"), target).kind).toBe(kind);
});

test("refuses only what does not fit into the quota of its folder", () => {
  const error = new HoldallError(507, "100 bytes", { code: "quota_exceeded" });
  const { kind, message } = failureOf(error, "upload");
  expect(kind).toBe("refused");
  expect(message).toStartWith("The quota of the folder has no room for it.");
});

test("keeps the message, and waits as long as the server says", () => {
  expect(failureOf(new HoldallError(413, "Too large."), "none")).toEqual({
    kind: "refused",
    message: "Too large.",
  });
  expect(failureOf(new HoldallError(429, "Later.", { retryAfter: 9 }), "none")).toMatchObject({
    seconds: 9,
  });
  expect(failureOf(new TypeError("A bug."), "upload").kind).toBe("refused");
});
