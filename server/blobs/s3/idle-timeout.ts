import type { CircuitBreaker } from "../../rules/circuit-breaker.ts";

/** A timeout that restarts with every sign of progress. It also expires when the store is frozen. */
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
export function createIdleTimeout(timeoutMs: number, breaker?: CircuitBreaker): IdleTimeout {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let endWait: (() => void) | undefined;

  function pause(): void {
    endWait?.();
    clearTimeout(timer);
    timer = undefined;
  }

  function restart(): void {
    pause();
    const reason = new Error(`nothing was received for ${Math.round(timeoutMs) / 1000} s`);
    timer = setTimeout(() => controller.abort(reason), timeoutMs);
    endWait = breaker?.watch(() => {
      clearTimeout(timer);
      controller.abort(new Error("the store replies to nothing"));
    });
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
