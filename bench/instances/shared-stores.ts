import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasS3Server, s3Server } from "../../server/blobs/s3/s3-server.fixture.ts";
import { createPostmaster } from "../../server/catalog/postgres/postmaster.fixture.ts";
import { onS3 } from "../../test/on-s3.ts";
import { cpuTime } from "../cpu-time.ts";

/** One PostgreSQL and one S3 store on this machine, which go with this process. */
export interface SharedStores {
  /** What a server has to be started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds of processor time that PostgreSQL has used so far. */
  databaseCpu(): number;
  stop(): Promise<void>;
}

/** As a database is run whose commits survive a power cut. */
const SETTINGS = ["fsync=on", "full_page_writes=on", "shared_buffers=512MB"];

/** Error: there is no S3 server on this machine. */
export async function startSharedStores(): Promise<SharedStores> {
  if (!hasS3Server) {
    throw new Error(
      "This bench needs Ceph's S3 server: install radosgw, ceph-mon, ceph-osd and ceph-common.",
    );
  }
  const folder = mkdtempSync(join(tmpdir(), "holdall-bench-postgres-"));
  // The database runs as another user when this is root.
  chmodSync(folder, 0o755);
  const database = await createPostmaster(folder, SETTINGS);
  await database.start();
  return {
    env: {
      ...onS3(await (await s3Server()).fresh()),
      DATABASE_URL: database.url,
      AUTH_SECRET: "one secret for all servers, as there has to be",
    },
    databaseCpu: () => cpuTime(database.pid),
    stop: () => database.stop("fast"),
  };
}
