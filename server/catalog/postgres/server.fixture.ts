import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { createPostmaster } from "./postmaster.fixture.ts";

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
  const server = await createPostmaster(folder);
  await server.start();
  const { url } = server;
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
    stop: () => server.stop("fast"),
    start: () => server.start(),
  };
}
