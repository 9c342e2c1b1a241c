import { expect, test } from "bun:test";
import { type ClockState, judgeClock } from "../domain/judge-clock.ts";
import { createTrustedClock } from "./trusted-clock.ts";

const NOW = 1_800_000_000_000;
const YEAR_S = 365 * 86_400;

test("gives no time after the clock was set, says so once, and trusts it after a day", async () => {
  let seconds = 1000;
  let offset = 0;
  let state: ClockState | undefined;
  const said: string[] = [];
  const note = (...line: unknown[]): void => void said.push(String(line.at(-1)));
  const clock = createTrustedClock({
    catalog: {
      async observeClock(previous) {
        const judged = judgeClock(state, { now: NOW + (seconds + offset) * 1000, previous });
        state = judged;
        return judged;
      },
    },
    log: { info: note, warn: note },
    elapsed: () => seconds,
  });
  expect(await clock.now()).toBe(NOW + seconds * 1000);
  seconds += 20;
  expect(await clock.now()).toBe(NOW + seconds * 1000);
  offset = YEAR_S;
  for (let at = 0; at < 86_400; at += 20) {
    expect(await clock.now()).toBeUndefined();
    seconds += 20;
  }
  expect(await clock.now()).toBe(NOW + (seconds + offset) * 1000);
  expect(said).toHaveLength(2);
  expect(said[0]).toContain("The clock was set");
  expect(said[1]).toContain("trusted again");
});
