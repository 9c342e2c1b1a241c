import { describe, expect, test } from "bun:test";
import { processorTime } from "../../test/processor-time.fixture.ts";
import { Fault } from "../rules/fault.ts";
import { createClock, DAY, MINUTE, SECOND } from "./credentials.fixture.ts";
import {
  createPasswordThrottle,
  type MemoryPasswordThrottle,
  type ThrottleSubject,
} from "./password-throttle.ts";

const subject = (id: string, maxWaitMs = 15 * MINUTE): ThrottleSubject => ({
  kind: "test",
  id,
  freeAttempts: 3,
  maxWaitMs,
});

/** Returns the seconds to wait, 0 when the attempt is allowed. */
function tryAttempt(throttle: MemoryPasswordThrottle, ...subjects: ThrottleSubject[]): number {
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

describe("the password throttle", () => {
  test("allows the free attempts, then doubles the wait up to the maximum", () => {
    const { clock, throttle } = open();
    const waits: number[] = [];
    for (let failure = 0; failure < 15; failure += 1) {
      const wait = tryAttempt(throttle, subject("a"));
      waits.push(wait);
      clock.pass(wait * SECOND);
      if (wait > 0) expect(tryAttempt(throttle, subject("a"))).toBe(0);
    }
    expect(waits).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  test("refuses until the last millisecond; refused attempts do not extend the wait", () => {
    const { clock, throttle } = open();
    for (let i = 0; i < 5; i += 1) {
      clock.pass(tryAttempt(throttle, subject("a")) * SECOND);
      tryAttempt(throttle, subject("a"));
    }
    const wait = tryAttempt(throttle, subject("a"));
    expect(wait).toBeGreaterThan(1);
    clock.pass(wait * SECOND - 1);
    expect(tryAttempt(throttle, subject("a"))).toBe(1);
    clock.pass(1);
    expect(tryAttempt(throttle, subject("a"))).toBe(0);
  });

  test("counts each subject separately; an attempt waits for any of its subjects", () => {
    const { throttle } = open();
    for (let i = 0; i < 3; i += 1) expect(tryAttempt(throttle, subject("a"))).toBe(0);
    expect(tryAttempt(throttle, subject("b"))).toBe(0);
    expect(tryAttempt(throttle, subject("b"), subject("a"))).toBe(1);
    expect(tryAttempt(throttle, { ...subject("a"), kind: "other" })).toBe(0);
  });

  test("does not count refused attempts", () => {
    const { throttle } = open();
    for (let i = 0; i < 3; i += 1) tryAttempt(throttle, subject("a"));
    for (let i = 0; i < 50; i += 1) tryAttempt(throttle, subject("a"), subject("b"));
    for (let i = 0; i < 3; i += 1) expect(tryAttempt(throttle, subject("b"))).toBe(0);
  });

  test("a success resets the failures", () => {
    const { throttle } = open();
    for (let i = 0; i < 3; i += 1) tryAttempt(throttle, subject("a"));
    throttle.reset(subject("a"));
    for (let i = 0; i < 3; i += 1) expect(tryAttempt(throttle, subject("a"))).toBe(0);
  });

  test("failures expire after a day without another", () => {
    const { clock, throttle } = open();
    for (let i = 0; i < 3; i += 1) tryAttempt(throttle, subject("a"));
    clock.pass(DAY + 2 * SECOND);
    for (let i = 0; i < 3; i += 1) expect(tryAttempt(throttle, subject("a"))).toBe(0);
  });

  test("a million subjects take little memory and time, and do not displace one under attack", () => {
    const { clock, throttle } = open();
    Bun.gc(true);
    const before = process.memoryUsage().heapUsed;
    const startedAt = processorTime();
    for (let n = 0; n < 1_000_000; n += 1) {
      tryAttempt(throttle, subject(`attacker ${n}`));
      if (n % 40 !== 0) continue;
      clock.pass(15 * MINUTE);
      tryAttempt(throttle, subject("owner"));
    }
    expect(tryAttempt(throttle, subject("owner"))).toBe(15 * 60);
    expect(processorTime() - startedAt).toBeLessThan(10_000);
    Bun.gc(true);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
  });
});
