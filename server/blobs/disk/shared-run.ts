/**
 * Coalesces calls of an action, such as an fsync. Each call gets the outcome of a run that started
 * after the call. Calls made during a run share the next one. Runs never overlap.
 */
export function createSharedRun(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    next = undefined;
    const run = action().finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  }

  return () => {
    if (next !== undefined) return next;
    if (running === undefined) return start();
    next = running.then(start, start);
    return next;
  };
}
