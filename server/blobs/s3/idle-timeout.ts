/** A timeout that restarts with every sign of progress. */
export interface IdleTimeout {
  /** Aborted when the time is over, or by `abort`. */
  readonly signal: AbortSignal;
  /** Starts the time anew. */
  restart(): void;
  /** Stops the time while nothing is awaited. */
  pause(): void;
  abort(reason: Error): void;
}

/** Starts running at once. */
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
