import { Fault } from "../domain/faults/fault.ts";
import { sleep } from "../runtime/sleep.ts";
import type { Outcome, PasswordThrottle, ThrottleSubject } from "./password-throttle.ts";

/** How long an attempt waits for others to end. */
const BUSY_LIMIT_MS = 20_000;
const POLL_MS = 20;

/**
 * Checks a secret under the throttle. The check throws Fault "unauthorized" for a wrong secret; after any
 * other fault the attempt does not count. Fault "rate_limited" with the wait, after failures.
 */
export async function checkThrottled<T>(
  throttle: PasswordThrottle,
  subjects: readonly ThrottleSubject[],
  check: () => Promise<T>,
): Promise<T> {
  await begin(throttle, subjects);
  let outcome: Outcome = "unknown";
  try {
    const checked = await check();
    outcome = "right";
    return checked;
  } catch (error) {
    if (error instanceof Fault && error.kind === "unauthorized") outcome = "wrong";
    throw error;
  } finally {
    await throttle.end(outcome, ...subjects);
  }
}

async function begin(
  throttle: PasswordThrottle,
  subjects: readonly ThrottleSubject[],
): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const verdict = await throttle.begin(...subjects);
    if (verdict === "allowed") return;
    if (verdict !== "busy") throw tooManyFailures(verdict);
    if (performance.now() - startedAt > BUSY_LIMIT_MS) {
      throw new Fault("rate_limited", "Many passwords are being checked. Try again in 2 s.", {
        retryAfter: 2,
      });
    }
    await sleep(POLL_MS);
  }
}

function tooManyFailures(waitMs: number): Fault {
  const retryAfter = Math.ceil(waitMs / 1000);
  return new Fault("rate_limited", `Too many failed attempts. Try again in ${retryAfter} s.`, {
    retryAfter,
  });
}
