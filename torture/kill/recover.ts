import { checkServer, type Findings } from "../check-server.ts";
import type { Inventory } from "../inventory.ts";
import { findLeftoversAfterStop } from "../leftovers.ts";
import { type ServerOptions, startServer } from "../server-process.ts";

/** Time limit for the start after a kill. */
const MAX_START_MS = 5_000;

export interface Recovery {
  readonly findings: Findings;
  readonly problems: readonly string[];
}

/**
 * Starts a server where another was killed, checks that it has one of the expected states and that
 * a clean stop leaves nothing behind.
 */
export async function recover(
  dataPath: string,
  expectedStates: readonly Inventory[],
  options: ServerOptions = {},
): Promise<Recovery> {
  const server = await startServer(dataPath, options);
  try {
    const findings = await checkServer(server, ...expectedStates);
    const code = await server.stop();
    const problems = [
      ...(server.startMs > MAX_START_MS
        ? [`the start took ${Math.round(server.startMs)} ms.`]
        : []),
      ...(code === 0 ? [] : [`the clean stop afterwards exited with ${code}.`]),
    ];
    const stopped = findings.leftovers.length > 0 ? [] : findLeftoversAfterStop(dataPath);
    return { findings: { ...findings, leftovers: [...findings.leftovers, ...stopped] }, problems };
  } finally {
    await server.kill();
  }
}
