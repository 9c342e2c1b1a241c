import { createWorker } from "../workers/worker.ts";
import { GRACE_MS, giveBack, SETTLED_MS } from "./serve.ts";
import { UsageError } from "./usage-error.ts";

/** What `serve` starts several of. Serves for as long as whoever has started it lives. */
export function workerCommand(): void {
  const send = process.send?.bind(process);
  if (send === undefined) throw new UsageError("`worker` is started by `serve`, with WORKERS.");
  const worker = createWorker(send, (code) => process.exit(code));
  process.on("message", worker.receive);
  // The data folder may be another server's by now.
  process.on("disconnect", () => process.exit(1));
  setTimeout(giveBack, SETTLED_MS).unref();
  process.on("SIGXFSZ", () => {});
  // A terminal sends these to all processes; the one that it was meant for tells the others.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  let isStopping = false;
  process.on("SIGTERM", () => {
    if (!isStopping) void worker.stop(GRACE_MS);
    isStopping = true;
  });
}
