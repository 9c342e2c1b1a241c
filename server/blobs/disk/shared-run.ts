/**
 * Shares the runs of an action among all who need one. Each call resolves or rejects with a run
 * that started after the call; all who call while a run is under way share the one after it. There
 * is never more than one run at a time.
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
