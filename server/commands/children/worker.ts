import { createService } from "../../app.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import { createWorker } from "../../workers/worker.ts";
import { GRACE_MS } from "../shutdown.ts";

/** A worker process that `serve` starts. It exits when its supervisor does. */
export function workerCommand(): void {
  const send = process.send?.bind(process);
  if (send === undefined) throw new UsageError("`worker` is started by `serve`, with WORKERS.");
  const worker = createWorker(send, (code) => process.exit(code), createService);
  process.on("message", worker.receive);
  // The supervisor is gone, so another server may already use the data folder.
  process.on("disconnect", () => process.exit(1));
  process.on("SIGXFSZ", () => {});
  // A terminal sends these to the whole process group; the supervisor stops the workers itself.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  let isStopping = false;
  process.on("SIGTERM", () => {
    if (!isStopping) void worker.drain().then(() => worker.stop(GRACE_MS));
    isStopping = true;
  });
}
