import { describe, expect, test } from "bun:test";
import { Fault } from "../rules/fault.ts";
import { createClock, DAY, MINUTE, SECOND } from "./credentials.fixture.ts";
import {
  createPasswordThrottle,
  type MemoryPasswordThrottle,
  type ThrottleSubject,
} from "./password-throttle.ts";

const subject = (id: string, longestWait = 15 * MINUTE): ThrottleSubject => ({
  kind: "test",
  id,
  freeTries: 3,
  longestWait,
});

/** Seconds to wait, 0 when the try is let through. */
function tryOnce(throttle: MemoryPasswordThrottle, ...subjects: ThrottleSubject[]): number {
  try {
    throttle.attempt(...subjects);
    return 0;
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== "rate_limited") throw error;
    return error.retryAfter ?? Number.NaN;
  }
}

function open() {
  const clock = createClock();
  return { clock, throttle: createPasswordThrottle({ now: clock.now, maxSubjects: 100 }) };
}

describe("the throttle", () => {
  test("lets some failures go, then doubles the wait up to the longest", () => {
    const { clock, throttle } = open();
    const waits: number[] = [];
    for (let failure = 0; failure < 15; failure += 1) {
      const wait = tryOnce(throttle, subject("a"));
      waits.push(wait);
      clock.pass(wait * SECOND);
      if (wait > 0) expect(tryOnce(throttle, subject("a"))).toBe(0);
    }
    expect(waits).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  test("lets nobody in a moment too early, and trying meanwhile makes it no longer", () => {
    const { clock, throttle } = open();
    for (let i = 0; i < 5; i += 1) {
      clock.pass(tryOnce(throttle, subject("a")) * SECOND);
      tryOnce(throttle, subject("a"));
    }
    const wait = tryOnce(throttle, subject("a"));
    expect(wait).toBeGreaterThan(1);
    clock.pass(wait * SECOND - 1);
    expect(tryOnce(throttle, subject("a"))).toBe(1);
    clock.pass(1);
    expect(tryOnce(throttle, subject("a"))).toBe(0);
  });

  test("counts each subject on its own, and makes a try wait for any of its subjects", () => {
    const { throttle } = open();
    for (let i = 0; i < 3; i += 1) expect(tryOnce(throttle, subject("a"))).toBe(0);
    expect(tryOnce(throttle, subject("b"))).toBe(0);
    expect(tryOnce(throttle, subject("b"), subject("a"))).toBe(1);
    expect(tryOnce(throttle, { ...subject("a"), kind: "other" })).toBe(0);
  });

  test("counts a refused try against nobody", () => {
    const { throttle } = open();
    for (let i = 0; i < 3; i += 1) tryOnce(throttle, subject("a"));
    for (let i = 0; i < 50; i += 1) tryOnce(throttle, subject("a"), subject("b"));
    for (let i = 0; i < 3; i += 1) expect(tryOnce(throttle, subject("b"))).toBe(0);
  });

  test("a right answer starts anew", () => {
    const { throttle } = open();
    for (let i = 0; i < 3; i += 1) tryOnce(throttle, subject("a"));
    throttle.forgive(subject("a"));
    for (let i = 0; i < 3; i += 1) expect(tryOnce(throttle, subject("a"))).toBe(0);
  });

  test("a day without a failure starts anew", () => {
    const { clock, throttle } = open();
    for (let i = 0; i < 3; i += 1) tryOnce(throttle, subject("a"));
    clock.pass(DAY + 2 * SECOND);
    for (let i = 0; i < 3; i += 1) expect(tryOnce(throttle, subject("a"))).toBe(0);
  });

  test("a million subjects take little memory and time, and do not push out one under attack", () => {
    const { clock, throttle } = open();
    Bun.gc(true);
    const before = process.memoryUsage().heapUsed;
    const began = performance.now();
    for (let n = 0; n < 1_000_000; n += 1) {
      tryOnce(throttle, subject(`stranger ${n}`));
      if (n % 40 !== 0) continue;
      clock.pass(15 * MINUTE);
      tryOnce(throttle, subject("owner"));
    }
    expect(tryOnce(throttle, subject("owner"))).toBe(15 * 60);
    expect(performance.now() - began).toBeLessThan(10_000);
    Bun.gc(true);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
  }, 20_000);
});
