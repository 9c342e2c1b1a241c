import { check, type Findings } from "../check.ts";
import type { Holdings } from "../holdings.ts";
import { leftoversAfterStop } from "../leftovers.ts";
import { startVictim, type VictimOptions } from "../server.ts";

/** How soon a server serves again, whatever happened to the last one. */
const MOST_START_MS = 5_000;

export interface Recovery {
  readonly findings: Findings;
  readonly problems: readonly string[];
}

/**
 * Starts a server where another was killed, holds it to one of the promises and, once it has been
 * stopped, to leaving nothing behind.
 */
export async function recover(
  dataPath: string,
  promises: readonly Holdings[],
  options: VictimOptions = {},
): Promise<Recovery> {
  const server = await startVictim(dataPath, options);
  try {
    const findings = await check(server, ...promises);
    const code = await server.stop();
    const problems = [
      ...(server.startMs > MOST_START_MS
        ? [`the start took ${Math.round(server.startMs)} ms.`]
        : []),
      ...(code === 0 ? [] : [`the clean stop after it ended with ${code}.`]),
    ];
    const stopped = findings.leftovers.length > 0 ? [] : leftoversAfterStop(dataPath);
    return { findings: { ...findings, leftovers: [...findings.leftovers, ...stopped] }, problems };
  } finally {
    await server.kill();
  }
}
