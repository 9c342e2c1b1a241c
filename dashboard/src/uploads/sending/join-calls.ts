interface RunningCall<Result> {
  readonly result: Promise<Result>;
  /** The signal of the caller that has started the call. */
  readonly signal: AbortSignal;
}

/**
 * Callers that ask for the same key at the same time share one call. If the one that has started it aborts it,
 * another starts it again. No result is kept.
 */
export function joinCalls<Result>(
  start: (key: string, signal: AbortSignal) => Promise<Result>,
): (key: string, signal: AbortSignal) => Promise<Result> {
  const running = new Map<string, RunningCall<Result>>();

  return async (key, signal) => {
    for (;;) {
      signal.throwIfAborted();
      const joined = running.get(key);
      if (joined === undefined) {
        const result = start(key, signal).finally(() => running.delete(key));
        running.set(key, { result, signal });
        return result;
      }
      try {
        const result = await joined.result;
        signal.throwIfAborted();
        return result;
      } catch (error) {
        if (signal.aborted || !joined.signal.aborted) throw error;
      }
    }
  };
}
