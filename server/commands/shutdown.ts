import type { Log } from "../log.ts";
import { sleep } from "../runtime/sleep.ts";
import type { App } from "../workers/service.ts";

/** How long pending requests may take once the server stops. */
export const GRACE_MS = 25_000;
/** Longest time for the work after the requests; then the process ends, whatever hangs. */
const MARGIN_MS = 12_000;

/**
 * From now on, SIGTERM, SIGINT and SIGHUP end the process: proxies send their requests elsewhere (`drain.ts`), pending
 * requests are finished, and the parts of the service are closed in the order of `app.ts`.
 */
export function shutDownOnSignals(app: App, log: Log): void {
  async function finish(signal: string): Promise<void> {
    const from = performance.now();
    // Nobody waits at a terminal for a load balancer.
    if (signal !== "SIGINT") await app.drain();
    await app.stop(GRACE_MS - (performance.now() - from));
  }

  let stoppedAt: number | undefined;
  const stop = async (signal: string): Promise<void> => {
    if (stoppedAt !== undefined) {
      // A second Ctrl-C ends the process at once. npm sends each signal twice.
      if (signal === "SIGINT" && performance.now() > stoppedAt + 500) process.exit(1);
      return;
    }
    stoppedAt = performance.now();
    log.info(`${signal}: finishing pending requests`);
    await Promise.race([finish(signal), sleep(GRACE_MS + MARGIN_MS)]);
    process.exit(0);
  };
  // Without a handler, exceeding the file size limit would end the process; with one, the write fails.
  process.on("SIGXFSZ", () => {});
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => void stop(signal));
  }
}
