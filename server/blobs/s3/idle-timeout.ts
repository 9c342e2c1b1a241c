import type { CircuitBreaker } from "../../lib/circuit-breaker.ts";

/** A timeout that restarts with every sign of progress. It also expires when a breaker finds the store frozen. */
export interface IdleTimeout {
  /** Aborted when the timeout expires, or by `abort`. */
  readonly signal: AbortSignal;
  /** Restarts the timeout. */
  restart(): void;
  /** Stops the timeout while the caller waits for nothing. */
  pause(): void;
  abort(reason: Error): void;
}

/** Creates a timeout that is already running. */
export function createIdleTimeout(
  timeoutMs: number,
  breakers: readonly CircuitBreaker[] = [],
): IdleTimeout {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let endWaits: readonly (() => void)[] = [];

  function pause(): void {
    for (const endWait of endWaits) endWait();
    endWaits = [];
    clearTimeout(timer);
    timer = undefined;
  }

  function restart(): void {
    pause();
    const reason = new Error(`nothing was received for ${Math.round(timeoutMs) / 1000} s`);
    timer = setTimeout(() => controller.abort(reason), timeoutMs);
    endWaits = breakers.map((breaker) =>
      breaker.watch(() => {
        clearTimeout(timer);
        controller.abort(new Error("the store does not reply to such requests"));
      }),
    );
  }

  restart();
  return {
    signal: controller.signal,
    restart,
    pause,
    abort(reason) {
      pause();
      controller.abort(reason);
    },
  };
}
