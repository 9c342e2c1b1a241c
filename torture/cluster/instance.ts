import { join } from "node:path";
import type { Reachable } from "../../test/client.ts";
import { freePort } from "../../test/free-port.fixture.ts";
import { type ServerProcess, startServer } from "../server-process.ts";

/** One of the servers that share a catalog and a store. It keeps its address across restarts. */
export interface Instance extends Reachable {
  readonly name: string;
  /** Number of kills and stops. A request during which it changed may have any outcome. */
  readonly faultCount: number;
  readonly isServing: boolean;
  /** Whether the process is still running. */
  isAlive(): boolean;
  /** kill -9. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  output(): string;
}

export interface InstanceOptions {
  readonly name: string;
  /** For its data folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Does not start the server. */
export async function createInstance({ name, folder, env }: InstanceOptions): Promise<Instance> {
  const port = await freePort();
  let faultCount = 0;
  let server: ServerProcess | undefined;
  let isServing = false;
  let before = "";

  return {
    name,
    url: `http://127.0.0.1:${port}`,
    apiKey: env.INITIAL_API_KEY ?? "",
    get faultCount() {
      return faultCount;
    },
    get isServing() {
      return isServing;
    },
    isAlive: () => server?.isAlive() ?? false,
    async kill() {
      faultCount += 1;
      isServing = false;
      await server?.kill();
    },
    async start() {
      before += server?.output() ?? "";
      server = await startServer(join(folder, name), { env: { ...env, PORT: String(port) } });
      isServing = true;
    },
    async stop() {
      faultCount += 1;
      isServing = false;
      await server?.stop();
    },
    output: () => before + (server?.output() ?? ""),
  };
}
