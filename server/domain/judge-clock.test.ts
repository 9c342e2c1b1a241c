import { expect, test } from "bun:test";
import fc from "fast-check";
import { type ClockState, judgeClock } from "./judge-clock.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const YEAR = 365 * DAY;
const NOW = 1_800_000_000_000;
const trusted: ClockState = { seenAt: NOW, steadyMs: null };

/** The looks of one process at a steady clock, a minute apart. */
function lookOn(state: ClockState, minutes: number, from: number): ClockState {
  let current = state;
  for (let at = 1; at <= minutes; at += 1) {
    const previous = { now: from + (at - 1) * MINUTE, elapsedMs: MINUTE };
    current = judgeClock(current, { now: from + at * MINUTE, previous });
  }
  return current;
}

test("trusts the clock of a new instance, and one that goes on after a short stop", () => {
  expect(judgeClock(undefined, { now: NOW, previous: null }).steadyMs).toBeNull();
  expect(judgeClock(trusted, { now: NOW + 3 * MINUTE, previous: null }).steadyMs).toBeNull();
  expect(judgeClock(trusted, { now: NOW + DAY, previous: null }).steadyMs).toBeNull();
});

test.each([
  ["is a year ahead at the start", { now: NOW + YEAR, previous: null }],
  ["is a year behind at the start", { now: NOW - YEAR, previous: null }],
  [
    "is set ahead while the server runs",
    { now: NOW + YEAR, previous: { now: NOW, elapsedMs: MINUTE } },
  ],
  [
    "is set back while the server runs",
    { now: NOW - 10 * MINUTE, previous: { now: NOW, elapsedMs: MINUTE } },
  ],
])("waits for a day of running when the clock %s", (_, look) => {
  const moved = judgeClock(trusted, look);
  expect(moved).toMatchObject({ seenAt: look.now, steadyMs: 0 });
  expect(moved.movedMs).not.toBe(0);
  const almost = lookOn(moved, 24 * 60 - 1, look.now);
  expect(almost.steadyMs).toBe(DAY - MINUTE);
  expect(lookOn(moved, 24 * 60, look.now).steadyMs).toBeNull();
});

test("waits again when the clock is corrected, also by a new start", () => {
  const ahead = judgeClock(trusted, { now: NOW + YEAR, previous: null });
  const corrected = judgeClock(ahead, { now: NOW + 2 * MINUTE, previous: null });
  expect(corrected).toMatchObject({ seenAt: NOW + 2 * MINUTE, steadyMs: 0 });
});

test("compares with the newest record where nothing is known of the clock", () => {
  expect(judgeClock(undefined, { now: NOW, previous: null, newest: NOW + YEAR }).steadyMs).toBe(0);
  expect(judgeClock(undefined, { now: NOW, previous: null, newest: NOW - YEAR }).steadyMs).toBe(0);
  expect(judgeClock(undefined, { now: NOW, previous: null, newest: NOW - 9 }).steadyMs).toBeNull();
});

test("counts the time once that several servers have run", () => {
  const moved = judgeClock(trusted, { now: NOW + YEAR, previous: null });
  const now = NOW + YEAR + MINUTE;
  const previous = { now: NOW + YEAR, elapsedMs: MINUTE };
  const one = judgeClock(moved, { now, previous });
  expect(judgeClock(one, { now, previous }).steadyMs).toBe(MINUTE);
});

test("never trusts a clock sooner than after a day of running since it moved", () => {
  const aMove = fc.integer({ min: -YEAR, max: YEAR }).filter((by) => Math.abs(by) > 2 * DAY);
  fc.assert(
    fc.property(fc.array(fc.tuple(aMove, fc.nat(1439)), { minLength: 1 }), (moves) => {
      let state: ClockState = trusted;
      for (const [by, minutes] of moves) {
        const now = state.seenAt + by;
        state = lookOn(judgeClock(state, { now, previous: null }), minutes, now);
        expect(state.steadyMs).toBe(minutes * MINUTE);
      }
    }),
  );
});
