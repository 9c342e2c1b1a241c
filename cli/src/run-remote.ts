import { Holdall } from "../../sdk/src/holdall.ts";
import type { RemoteServer } from "../../server/config/read-remote-server.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { fetchStored } from "./fetch-stored.ts";
import { createOutput, type Output, type OutputOptions } from "./output.ts";
import { dryFetch } from "./tried-out.ts";

export interface RemoteSession {
  readonly holdall: Holdall;
  readonly server: RemoteServer;
  readonly output: Output;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** npm sends each signal twice. */
const SECOND_SIGNAL_MS = 500;

/**
 * Runs a remote command. Prints its failure. Returns the exit code, which is that of `work` unless it
 * throws. The first SIGINT or SIGTERM aborts it, a later one ends the process at once.
 */
export async function runRemote(
  readServer: () => RemoteServer,
  options: OutputOptions & { readonly "dry-run"?: boolean | undefined },
  work: (session: RemoteSession) => Promise<number>,
): Promise<number> {
  const output = createOutput(options);
  const signals = listenForSignals();
  try {
    const server = readServer();
    const isDryRun = options["dry-run"] === true;
    const holdall = new Holdall({
      url: server.url,
      apiKey: server.apiKey,
      fetch: isDryRun ? dryFetch(fetchStored) : fetchStored,
      ...(isDryRun ? { retries: 0 } : {}),
    });
    return await work({ holdall, server, output, signal: signals.signal });
  } catch (error) {
    if (signals.signal.aborted) {
      await output.problem(null, new Error("Interrupted."));
      return signals.exitCode();
    }
    await output.problem(null, error);
    return exitCodeOf(error);
  } finally {
    signals.close();
  }
}

function listenForSignals() {
  const controller = new AbortController();
  let receivedAt = 0;
  let exitCode: number = exitCodes.done;
  function onSignal(signal: NodeJS.Signals): void {
    exitCode = signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated;
    if (!controller.signal.aborted) receivedAt = performance.now();
    else if (performance.now() > receivedAt + SECOND_SIGNAL_MS) process.exit(exitCode);
    controller.abort(new Error("Interrupted."));
  }
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    close(): void {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
