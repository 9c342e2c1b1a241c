import type { ResultCounter } from "../result-counter.ts";
import type { ServerProcess } from "../server-process.ts";
import { leftAfterExpiry } from "./expire.ts";

/** Stops a server, lets everything expire, and counts the leftovers. */
export async function countExpiry(server: ServerProcess, results: ResultCounter): Promise<void> {
  const code = await server.stop();
  if (code !== 0) results.problem(`The stop exited with ${code}.`);
  const leftovers = await leftAfterExpiry(server.dataPath);
  results.count("after expiry", { lost: [], extra: [], leftovers });
}
