import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { hasSharedServers, sharedServerUrl } from "../../../test/shared-servers.fixture.ts";
import { createPostmaster } from "./postmaster.fixture.ts";

/** A database on a real server, for tests. */
export interface TestDatabase {
  /** The address of a new, empty schema. */
  fresh(): Promise<string>;
  /** Runs a statement on its own connection. */
  run(url: string, text: string, values?: unknown[]): Promise<unknown[]>;
}

/** A server that stops when this process exits for any reason. */
export interface PostgresServer extends TestDatabase {
  readonly url: string;
  /** Stops the server as a restart does, which closes all connections. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops all its processes with SIGSTOP. Linux only. */
  freeze(): void;
  thaw(): void;
}

let database: Promise<TestDatabase> | undefined;

/** A database of this process, on the server that the test run shares if there is one. */
export function postgresServer(): Promise<TestDatabase> {
  database ??= hasSharedServers ? createDatabase() : startPostgresServer();
  return database;
}

async function createDatabase(): Promise<TestDatabase> {
  const url = new URL(await sharedServerUrl("postgres"));
  const name = `holdall_${crypto.randomUUID().replaceAll("-", "")}`;
  await run(url.href, `create database ${name}`);
  url.pathname = `/${name}`;
  return schemasOf(url.href);
}

/** A separate server, which the test may stop. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "holdall-postgres-"));
  // The server runs as another user when this is root.
  chmodSync(folder, 0o755);
  const server = await createPostmaster(folder);
  await server.start();
  return {
    url: server.url,
    ...schemasOf(server.url),
    stop: () => server.stop("fast"),
    start: () => server.start(),
    freeze: server.freeze,
    thaw: server.thaw,
  };
}

function schemasOf(url: string): TestDatabase {
  let count = 0;
  return {
    async fresh() {
      count += 1;
      const schema = `holdall_${process.pid}_${count}`;
      await run(url, `create schema ${schema}`);
      return `${url}?options=-csearch_path%3D${schema}`;
    },
    run,
  };
}

async function run(at: string, text: string, values?: unknown[]): Promise<unknown[]> {
  const client = new Client({ connectionString: at });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
