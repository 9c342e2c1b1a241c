import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { hasS3Server, s3Server } from "../../server/blobs/s3/s3-server.fixture.ts";
import { createPostmaster } from "../../server/catalog/postgres/postmaster.fixture.ts";
import { s3Environment } from "../../test/s3-environment.ts";
import { cpuTime } from "../cpu-time.ts";

/** One PostgreSQL and one S3 store on this machine, ended with this process. */
export interface SharedStores {
  /** The environment for the servers. */
  readonly env: Readonly<Record<string, string>>;
  /** Processor time used so far by PostgreSQL, in milliseconds. */
  databaseCpu(): number;
  /** Statements that PostgreSQL has run so far, those that begin and end transactions included. */
  statements(): Promise<number>;
  stop(): Promise<void>;
}

/** Settings under which commits survive a power cut. */
export const DURABLE_SETTINGS = ["fsync=on", "full_page_writes=on", "shared_buffers=512MB"];

/** Throws when this machine has no S3 server. */
export async function startSharedStores(): Promise<SharedStores> {
  if (!hasS3Server) {
    throw new Error(
      "This bench needs Ceph's S3 server: install radosgw, ceph-mon, ceph-osd and ceph-common.",
    );
  }
  const folder = mkdtempSync(join(tmpdir(), "holdall-bench-postgres-"));
  // The database runs as another user when this is root.
  chmodSync(folder, 0o755);
  const counted = "shared_preload_libraries=pg_stat_statements";
  const database = await createPostmaster(folder, [...DURABLE_SETTINGS, counted]);
  await database.start();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("create extension pg_stat_statements");
  return {
    env: {
      ...s3Environment(await (await s3Server()).fresh()),
      DATABASE_URL: database.url,
      AUTH_SECRET: "one secret for all servers, as there has to be",
    },
    databaseCpu: () => cpuTime(database.pid),
    async statements() {
      const { rows } = await client.query(
        "select sum(calls)::float8 as calls from pg_stat_statements",
      );
      return rows[0].calls;
    },
    async stop() {
      await client.end();
      await database.stop("fast");
    },
  };
}
