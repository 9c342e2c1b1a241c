import { sleep } from "../runtime/sleep.ts";
/**
 * Detects a dependency that accepts requests but no longer replies. Once a request has waited for
 * `slowMs` and nothing else was answered either, `probe` asks the dependency. If the probe gets no reply
 * in time, the dependency is frozen: everything that waits for it fails, and new requests fail at once.
 * Probes go on, and the first reply ends this. A slow request is never cut while probes are answered.
 */
export interface CircuitBreaker {
  isFrozen(): boolean;
  /**
   * Call when a wait for the dependency begins. Calls `onFrozen` at most once: when the dependency is
   * found to be frozen, or at once if it is known to be. The result ends the wait.
   */
  watch(onFrozen: () => void): () => void;
  /** Call for each reply of the dependency, also for one that reports an error. */
  noteReply(): void;
  close(): void;
}

export interface CircuitBreakerDeps {
  /** Resolves with whether there was any reply within `timeoutMs`. Never rejects. */
  readonly probe: (timeoutMs: number) => Promise<boolean>;
  /** "frozen" is reported again every minute, "answers" once, and both at most once a minute. */
  readonly onEvent: (event: FreezeEvent) => void;
  readonly slowMs?: number;
  readonly probeTimeoutMs?: number;
}

export type FreezeEvent =
  | { readonly event: "frozen"; readonly seconds: number }
  | { readonly event: "answers"; readonly seconds: number };

/** The sum stays below 5 seconds. The probe gets the larger part, so that a busy machine is not taken for frozen. */
const SLOW_MS = 1500;
const PROBE_TIMEOUT_MS = 3000;
/** Between two probes. */
const PAUSE_MS = 1000;
/** A timer that is later than this says that this process was stopped itself: the probe proves nothing. */
const MAX_DELAY_MS = 1000;
const REPORT_INTERVAL_MS = 60_000;

interface Wait {
  readonly since: number;
  readonly onFrozen: () => void;
}

export function createCircuitBreaker({
  probe,
  onEvent,
  slowMs = SLOW_MS,
  probeTimeoutMs = PROBE_TIMEOUT_MS,
}: CircuitBreakerDeps): CircuitBreaker {
  /** The oldest first. */
  const waits = new Set<Wait>();
  let lastReply = Number.NEGATIVE_INFINITY;
  /** When the dependency was last known to answer; undefined: it is not frozen. */
  let frozenSince: number | undefined;
  let lastReport = Number.NEGATIVE_INFINITY;
  let isReported = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isProbing = false;
  let isClosed = false;

  function schedule(delayMs: number): void {
    if (isClosed || isProbing || timer !== undefined) return;
    timer = setTimeout(check, delayMs);
    timer.unref();
  }

  function check(): void {
    timer = undefined;
    const [oldest] = waits;
    if (oldest === undefined) return;
    const left = Math.max(oldest.since, lastReply) + slowMs - performance.now();
    if (left > 0) schedule(left);
    else void probeUntilReply(oldest.since);
  }

  async function probeUntilReply(since: number): Promise<void> {
    isProbing = true;
    while (!isClosed) {
      const from = performance.now();
      const isReply = await probe(probeTimeoutMs);
      if (isClosed) return;
      if (isReply) lastReply = performance.now();
      if (lastReply >= from) break;
      if (performance.now() - from > probeTimeoutMs + MAX_DELAY_MS) continue;
      freeze(since);
      await sleep(PAUSE_MS);
    }
    thaw();
    isProbing = false;
    if (waits.size > 0) schedule(slowMs);
  }

  function freeze(since: number): void {
    frozenSince ??= Math.max(since, lastReply);
    for (const wait of waits) {
      waits.delete(wait);
      wait.onFrozen();
    }
    if (performance.now() - lastReport < REPORT_INTERVAL_MS) return;
    lastReport = performance.now();
    isReported = true;
    onEvent({ event: "frozen", seconds: secondsSince(frozenSince) });
  }

  function thaw(): void {
    if (frozenSince === undefined) return;
    if (isReported) onEvent({ event: "answers", seconds: secondsSince(frozenSince) });
    frozenSince = undefined;
    isReported = false;
  }

  return {
    isFrozen: () => frozenSince !== undefined,
    watch(onFrozen) {
      if (frozenSince !== undefined) {
        onFrozen();
        return () => {};
      }
      const wait = { since: performance.now(), onFrozen };
      waits.add(wait);
      schedule(slowMs);
      return () => waits.delete(wait);
    },
    noteReply() {
      lastReply = performance.now();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const secondsSince = (moment: number): number => Math.round((performance.now() - moment) / 1000);
