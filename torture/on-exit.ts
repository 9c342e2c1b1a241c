/*
 * What must be undone however the torture ends, an interrupt included. Folders are the harness's.
 */

const undone = new Set<() => void>();

/** Has `undo` run at the end of the process at the latest; call what comes back to do it now. */
export function onExit(undo: () => void): () => void {
  undone.add(undo);
  return () => {
    if (undone.delete(undo)) undo();
  };
}

process.on("exit", () => {
  for (const undo of [...undone].reverse()) {
    try {
      undo();
    } catch (error) {
      console.error(`Not cleared up: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => process.exit(130));
}
