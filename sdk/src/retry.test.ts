import { describe, expect, test } from "bun:test";
import { HoldallError } from "./error.ts";
import { delayBefore, MOST_SECONDS, wait } from "./retry.ts";

const after = (method: string, status: number, retryAfter?: number, earlier = 0) =>
  delayBefore({ method, earlier, error: new HoldallError(status, "no", { retryAfter }) });

describe("delayBefore", () => {
  test.each([0, 502, 503, 504])("reading is tried again after %d, changing is not", (status) => {
    expect(after("GET", status)).toBeGreaterThan(0);
    expect(after("HEAD", status)).toBeGreaterThan(0);
    for (const method of ["POST", "PUT", "DELETE"]) expect(after(method, status)).toBeUndefined();
  });

  test("anything may follow 429, which comes before the work", () => {
    for (const method of ["GET", "POST", "PUT", "DELETE"]) {
      expect(after(method, 429, 3)).toBe(3_000);
    }
  });

  test.each([400, 401, 404, 409, 413, 416, 500, 507])("%d is final", (status) => {
    expect(after("GET", status)).toBeUndefined();
  });

  test("waits no longer than the server's window", () => {
    expect(after("GET", 429, MOST_SECONDS)).toBe(MOST_SECONDS * 1_000);
    expect(after("GET", 429, MOST_SECONDS + 1)).toBeUndefined();
    expect(after("GET", 503, 0)).toBe(0);
  });

  test("waits longer from attempt to attempt, up to a bound", () => {
    const delays = [0, 1, 2, 10].map((earlier) => after("GET", 0, undefined, earlier) ?? 0);
    expect(delays[0]).toBeWithin(100, 201);
    expect(delays[2]).toBeWithin(400, 801);
    expect(delays[3]).toBeWithin(2_500, 5_001);
  });

  test("other errors are not its business", () => {
    expect(delayBefore({ method: "GET", earlier: 0, error: new Error("bug") })).toBeUndefined();
  });
});

test("a wait ends with its signal's reason", async () => {
  const control = new AbortController();
  const waiting = wait(60_000, control.signal);
  control.abort("enough");
  expect(await waiting.catch((reason) => reason)).toBe("enough");
  expect(await wait(60_000, control.signal).catch((reason) => reason)).toBe("enough");
});
