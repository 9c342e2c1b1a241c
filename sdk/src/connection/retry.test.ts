import { describe, expect, test } from "bun:test";
import { HoldallError } from "./error.ts";
import { MAX_RETRY_AFTER_SECONDS, retryDelay, wait } from "./retry.ts";

const after = (method: string, status: number, retryAfter?: number, retry = 0) =>
  retryDelay({ method, retry, error: new HoldallError(status, "no", { retryAfter }) });

describe("retryDelay", () => {
  test.each([0, 502, 503, 504])("retries reads after %d, and no writes", (status) => {
    expect(after("GET", status)).toBeGreaterThan(0);
    expect(after("HEAD", status)).toBeGreaterThan(0);
    for (const method of ["POST", "PUT", "DELETE"]) expect(after(method, status)).toBeUndefined();
  });

  test("retries any method after 429", () => {
    for (const method of ["GET", "POST", "PUT", "DELETE"]) {
      expect(after(method, 429, 3)).toBe(3_000);
    }
  });

  test.each([400, 401, 404, 409, 413, 416, 500, 507])("does not retry after %d", (status) => {
    expect(after("GET", status)).toBeUndefined();
  });

  test("does not wait longer than the rate limit window", () => {
    expect(after("GET", 429, MAX_RETRY_AFTER_SECONDS)).toBe(MAX_RETRY_AFTER_SECONDS * 1_000);
    expect(after("GET", 429, MAX_RETRY_AFTER_SECONDS + 1)).toBeUndefined();
    expect(after("GET", 503, 0)).toBe(0);
  });

  test("waits longer before each retry, up to a maximum", () => {
    const delays = [0, 1, 2, 10].map((retry) => after("GET", 0, undefined, retry) ?? 0);
    expect(delays[0]).toBeWithin(100, 201);
    expect(delays[2]).toBeWithin(400, 801);
    expect(delays[3]).toBeWithin(2_500, 5_001);
  });

  test("does not retry after other errors", () => {
    expect(retryDelay({ method: "GET", retry: 0, error: new Error("bug") })).toBeUndefined();
  });
});

test("wait rejects with the signal's reason", async () => {
  const control = new AbortController();
  const waiting = wait(60_000, control.signal);
  control.abort("enough");
  expect(await waiting.catch((reason) => reason)).toBe("enough");
  expect(await wait(60_000, control.signal).catch((reason) => reason)).toBe("enough");
});
