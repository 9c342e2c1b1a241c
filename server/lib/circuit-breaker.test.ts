import { afterEach, expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { eventually } from "../../test/expectations.ts";
import { type CircuitBreaker, createCircuitBreaker, type FreezeEvent } from "./circuit-breaker.ts";

let isStopped = false;
let probes = 0;
const events: FreezeEvent["event"][] = [];
let breaker: CircuitBreaker;

/** In milliseconds; a test in which nothing may freeze needs more than a busy machine takes. */
function open(slowMs = 20): void {
  isStopped = false;
  probes = 0;
  events.length = 0;
  breaker = createCircuitBreaker({
    slowMs,
    probeTimeoutMs: 2 * slowMs,
    onEvent: ({ event }) => events.push(event),
    async probe(timeoutMs) {
      probes += 1;
      for (let waited = 0; isStopped && waited < timeoutMs; waited += 5) await Bun.sleep(5);
      return !isStopped;
    },
  });
}
afterEach(() => breaker.close());

const untilFrozen = (): Promise<void> => new Promise((resolve) => breaker.watch(resolve));

test("fails what waits, and new waits at once, until a probe is answered", async () => {
  open();
  isStopped = true;
  await Promise.all([untilFrozen(), untilFrozen()]);
  expect(breaker.isFrozen()).toBe(true);
  let isFailed = false;
  breaker.watch(() => {
    isFailed = true;
  });
  expect(isFailed).toBe(true);
  isStopped = false;
  await eventually("it replies again", () => !breaker.isFrozen());
  expect(events).toEqual(["frozen", "answers"]);
});

test("cuts no wait while probes are answered, however long it takes", async () => {
  open();
  let isFailed = false;
  const end = breaker.watch(() => {
    isFailed = true;
  });
  await eventually("it is probed", () => probes >= 5);
  end();
  expect([isFailed, breaker.isFrozen(), events]).toEqual([false, false, []]);
});

test("takes a reply to another request for a sign of life", async () => {
  open(1000);
  isStopped = true;
  let isFailed = false;
  const end = breaker.watch(() => {
    isFailed = true;
  });
  for (let replies = 0; replies < 40; replies += 1) {
    breaker.noteReply();
    // Often enough that nothing freezes, for longer than a request may wait.
    await Bun.sleep(100);
  }
  end();
  expect([isFailed, breaker.isFrozen()]).toEqual([false, false]);
});

test("does not probe when nothing waits", async () => {
  open(1000);
  isStopped = true;
  for (let n = 0; n < 5; n += 1) {
    const end = breaker.watch(() => {});
    await setImmediate();
    end();
  }
  // Longer than a watched request may wait without a probe.
  await Bun.sleep(1500);
  expect(probes).toBe(0);
});

test("reports at most once a minute however often the dependency freezes", async () => {
  open();
  for (let round = 0; round < 3; round += 1) {
    isStopped = true;
    await untilFrozen();
    isStopped = false;
    await eventually("it replies again", () => !breaker.isFrozen());
  }
  expect(events).toEqual(["frozen", "answers"]);
});
