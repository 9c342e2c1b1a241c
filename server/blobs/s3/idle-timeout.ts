/** A timeout that restarts with every sign of progress. */
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
export function createIdleTimeout(timeoutMs: number): IdleTimeout {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function pause(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function restart(): void {
    pause();
    const reason = new Error(`nothing was received for ${Math.round(timeoutMs) / 1000} s`);
    timer = setTimeout(() => controller.abort(reason), timeoutMs);
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
