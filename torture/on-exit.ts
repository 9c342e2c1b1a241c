/*
 * Cleanup that must run however the process ends, including an interrupt. (The test harness removes
 * folders.)
 */

const pending = new Set<() => void>();

/** Runs `undo` when the process exits. Call the returned function to run it now instead. */
export function onExit(undo: () => void): () => void {
  pending.add(undo);
  return () => {
    if (pending.delete(undo)) undo();
  };
}

process.on("exit", () => {
  for (const undo of [...pending].reverse()) {
    try {
      undo();
    } catch (error) {
      console.error(`Cleanup failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => process.exit(130));
}
