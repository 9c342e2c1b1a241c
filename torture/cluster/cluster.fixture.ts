import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { hasS3Server, s3Server } from "../../server/blobs/s3/s3-server.fixture.ts";
import {
  createPostmaster,
  createStandby,
  type Postmaster,
} from "../../server/catalog/postgres/postmaster.fixture.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { s3Environment } from "../../test/s3-environment.ts";
import { API_KEY } from "../server-process.ts";
import { CannotRun } from "../trial.ts";
import { createInstance, type Instance } from "./instance.ts";
import { createRelay, type Relay } from "./relay.ts";
import type { Stores } from "./shared-leftovers.ts";

/** Three servers over one PostgreSQL, which they reach through a relay, and one S3 store. */
export interface ClusterFixture extends Stores {
  readonly instances: readonly Instance[];
  readonly primary: Postmaster;
  /** Synchronous standby of the primary. undefined unless requested. */
  readonly standby: Postmaster | undefined;
  /** Between the instances and the database. */
  readonly relay: Relay;
  dispose(): Promise<void>;
}

const NAMES = ["a", "b", "c"] as const;

/** Starts all instances at once, on empty stores. Throws `CannotRun` without an S3 server. */
export async function startCluster(
  database: "alone" | "with a standby" = "alone",
): Promise<ClusterFixture> {
  if (!hasS3Server) {
    throw new CannotRun(
      "Ceph's S3 server is needed: install radosgw, ceph-mon, ceph-osd and ceph-common.",
    );
  }
  const s3 = await (await s3Server()).fresh();
  const folder = temporaryFolder();
  const { primary, standby } = await createDatabase(folder, database);
  const relay = await createRelay(primary.port);
  const relayUrl = new URL(primary.url);
  relayUrl.port = String(relay.port);
  const env = {
    ...s3Environment(s3),
    DATABASE_URL: relayUrl.href,
    INITIAL_API_KEY: API_KEY,
    AUTH_SECRET: "the same secret for all instances",
    LOG_LEVEL: "error",
  };
  const instances = await Promise.all(NAMES.map((name) => createInstance({ name, folder, env })));

  const dispose = async (): Promise<void> => {
    await Promise.all(instances.map((instance) => instance.kill()));
    relay.close();
    await primary.stop("immediate");
    await standby?.stop("immediate");
    removeFolder(folder);
  };
  try {
    await Promise.all(instances.map((instance) => instance.start()));
  } catch (error) {
    await dispose();
    throw error;
  }
  return { instances, primary, standby, relay, s3, databaseUrl: relayUrl.href, dispose };
}

async function createDatabase(
  folder: string,
  kind: "alone" | "with a standby",
): Promise<Pick<ClusterFixture, "primary" | "standby">> {
  // As root, the database runs as another user.
  chmodSync(folder, 0o755);
  const folders = ["primary", "standby"].map((name) => join(folder, name));
  const [first = "", second = ""] = folders;
  for (const each of folders) mkdirSync(each);
  // A commit must be on the standby before it is acknowledged.
  const settings = kind === "alone" ? [] : ["synchronous_standby_names=standby"];
  const primary = await createPostmaster(first, settings);
  const standby = kind === "alone" ? undefined : await createStandby(primary, first, second);
  await primary.start();
  if (standby !== undefined) {
    await standby.start();
    await waitForStandby(primary);
  }
  return { primary, standby };
}

/** Resolves once the standby replicates synchronously. */
async function waitForStandby({ url }: Postmaster): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (let round = 0; round < 200; round += 1) {
      const { rows } = await client.query("select sync_state from pg_stat_replication");
      if (rows[0]?.sync_state === "sync") return;
      await Bun.sleep(50);
    }
    throw new Error("The standby does not replicate.");
  } finally {
    await client.end();
  }
}
