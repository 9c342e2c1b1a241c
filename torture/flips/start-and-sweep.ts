import { Database } from "bun:sqlite";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { type ServerProcess, startServer } from "../server-process.ts";

export interface Swept {
  /** false: the start was refused. */
  readonly served: boolean;
  readonly output: string;
  /** Keys of all listed files; empty if they cannot be listed. */
  readonly keys: ReadonlySet<string>;
}

/** A damaged catalog may prevent the sweep. */
const MAX_SWEEP_MS = 2_000;

/** Starts a server, waits for its sweep, runs `act` and stops it. */
export async function startAndSweep(
  dataPath: string,
  act: (server: ServerProcess) => Promise<void>,
): Promise<Swept> {
  const server = await startServer(dataPath).catch((error: unknown) => String(error));
  if (typeof server === "string") return { served: false, output: server, keys: new Set() };
  try {
    const until = performance.now() + MAX_SWEEP_MS;
    while (hasDeadLeases(dataPath) && performance.now() < until) await Bun.sleep(20);
    const keys = await keysOf(server);
    await act(server);
    await server.stop();
    return { served: true, output: server.output(), keys };
  } finally {
    await server.kill();
  }
}

async function keysOf(server: ServerProcess): Promise<Set<string>> {
  try {
    return new Set((await api(server).list()).map(({ key }) => key));
  } catch {
    return new Set();
  }
}

/** true if the catalog cannot be read. */
function hasDeadLeases(dataPath: string): boolean {
  try {
    const catalog = new Database(join(dataPath, "catalog.sqlite"), { readonly: true });
    try {
      const leases = catalog.query("SELECT block FROM blob_leases WHERE owner = ''").all();
      return leases.length > 0;
    } finally {
      catalog.close();
    }
  } catch {
    return true;
  }
}
