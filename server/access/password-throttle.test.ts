import { describe, expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { processorTime } from "../../test/processor-time.fixture.ts";
import { Fault } from "../domain/faults/fault.ts";
import { checkThrottled } from "./check-throttled.ts";
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

/** A wrong password. Returns the seconds to wait, 0 when the attempt is allowed. */
function tryAttempt(throttle: MemoryPasswordThrottle, ...subjects: ThrottleSubject[]): number {
  const verdict = throttle.begin(...subjects);
  if (verdict === "busy") throw new Error("No other attempt runs");
  if (verdict !== "allowed") return Math.ceil(verdict / SECOND);
  throttle.end("wrong", ...subjects);
  return 0;
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
    for (let i = 0; i < 2; i += 1) tryAttempt(throttle, subject("a"));
    throttle.begin(subject("a"));
    throttle.end("right", subject("a"));
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

describe("attempts at once", () => {
  const own = subject("a");

  test("run together only as far as they may fail, and an unchecked one does not count", () => {
    const { throttle } = open();
    expect([1, 2, 3, 4].map(() => throttle.begin(own))).toEqual([
      "allowed",
      "allowed",
      "allowed",
      "busy",
    ]);
    throttle.end("unknown", own);
    expect(throttle.begin(own)).toBe("allowed");
    throttle.end("wrong", own);
    expect(throttle.begin(own)).toBe("busy");
  });

  test("an attempt that never ends is forgotten", () => {
    const { clock, throttle } = open();
    for (let n = 0; n < 3; n += 1) throttle.begin(own);
    expect(throttle.begin(own)).toBe("busy");
    clock.pass(MINUTE);
    expect(throttle.begin(own)).toBe("allowed");
  });

  test.each([12, 60])("%d right secrets of one client are all accepted", async (count) => {
    const { throttle } = open();
    const check = () => setImmediate();
    const shared = { ...subject("all", 4 * SECOND), isShared: true };
    const attempts = Array.from({ length: count }, () =>
      checkThrottled(throttle, [own, shared], check),
    );
    expect(await Promise.all(attempts)).toHaveLength(count);
  });

  test("wrong secrets are refused after the free attempts, and other faults do not count", async () => {
    const { throttle } = open();
    const kinds: string[] = [];
    const attempt = async (kind: "unauthorized" | "unavailable") => {
      const check = () => Promise.reject(new Fault(kind, "Refused."));
      await checkThrottled(throttle, [own], check).catch((fault) => kinds.push(fault.kind));
    };
    await Promise.all(Array.from({ length: 10 }, () => attempt("unavailable")));
    await Promise.all(Array.from({ length: 10 }, () => attempt("unauthorized")));
    expect(kinds.filter((kind) => kind === "unauthorized")).toHaveLength(3);
    expect(kinds.filter((kind) => kind === "rate_limited")).toHaveLength(7);
  });
});

describe("a shared subject", () => {
  const client = (address: number | string): ThrottleSubject => ({
    ...subject(String(address), 15 * MINUTE),
    freeAttempts: 5,
  });
  const account = (): ThrottleSubject => ({
    ...subject("account", 4 * SECOND),
    freeAttempts: 10,
    isShared: true,
  });
  const openShared = () => {
    const clock = createClock();
    const throttle = createPasswordThrottle({ now: clock.now });
    const guess = (address: number | string) => tryAttempt(throttle, client(address), account());
    return { clock, throttle, guess };
  };

  /** Tries until the attempt is allowed, as `Retry-After` says; attackers guess in between. Returns the seconds. */
  function enter(
    { clock, throttle }: ReturnType<typeof openShared>,
    address: string,
    attack: (second: number) => void,
  ): number {
    let waitUntil = 0;
    for (let second = 0; second < 3600; second += 1) {
      if (second >= waitUntil) {
        const verdict = throttle.begin(client(address), account());
        if (verdict === "allowed") {
          throttle.end("unknown", client(address), account());
          return second;
        }
        waitUntil = second + Math.ceil(Number(verdict) / SECOND);
      }
      attack(second);
      clock.pass(SECOND);
    }
    return Number.POSITIVE_INFINITY;
  }

  test("an honest client enters at once while 10,000 addresses guess", () => {
    const fixture = openShared();
    for (let second = 0; second < 300; second += 1) {
      for (let n = 0; n < 200; n += 1) fixture.guess((second * 200 + n) % 10_000);
      fixture.clock.pass(SECOND);
    }
    expect(enter(fixture, "honest", () => {})).toBe(0);
  });

  test("so does one that has mistyped, among 10,000 that wait as they are told", () => {
    const fixture = openShared();
    const dueAt = new Array<number>(10_000).fill(0);
    const attack = (second: number) => {
      for (const [address, due] of dueAt.entries()) {
        if (due > second) continue;
        dueAt[address] = second + Math.max(1, fixture.guess(address));
      }
    };
    for (let second = 0; second < 120; second += 1) {
      attack(second);
      fixture.clock.pass(SECOND);
    }
    expect(fixture.guess("honest")).toBe(0);
    expect(enter(fixture, "honest", (second) => attack(120 + second))).toBeLessThan(60);
  });

  test("a client that failed often is let in within a minute of its own wait, against 15 addresses", () => {
    const fixture = openShared();
    const attack = () => {
      for (let n = 0; n < 15; n += 1) fixture.guess(n);
    };
    for (let second = 0; second < 600; second += 1) {
      attack();
      fixture.clock.pass(SECOND);
    }
    for (let n = 0; n < 4; n += 1) {
      expect(enter(fixture, "honest", attack)).toBeLessThanOrEqual(60);
      fixture.throttle.end("wrong", client("honest"), account());
    }
    expect(enter(fixture, "honest", attack)).toBeLessThanOrEqual(60);
  });

  test("attackers with 100,000 addresses get a bounded number of guesses a day", () => {
    const { clock, guess } = openShared();
    let guesses = 0;
    for (let n = 0; n < 150_000; n += 1) {
      if (guess(n % 3 === 0 ? n % 100 : n) === 0) guesses += 1;
      clock.pass(DAY / 150_000);
    }
    expect(guesses).toBeLessThan(25_000 + 25_000 + 21_600 + 100);
  });
});
