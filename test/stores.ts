import type { Environment } from "./harness.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";

/*
 * Where servers under test keep things, chosen for a whole run: HOLDALL_TEST_CATALOG=postgres and
 * HOLDALL_TEST_BLOBS=s3. Without them, everything is in the data folder.
 */

const isOnPostgres = process.env.HOLDALL_TEST_CATALOG === "postgres";
/** For tests that look at the bytes on the disk, or at its room: they are skipped where this is true. */
export const isOnS3 = isMissing("blobs on disk", process.env.HOLDALL_TEST_BLOBS !== "s3");

/** Everything is in the data folder: for commands that get nothing else, and what only SQLite can. */
export const isPlain = !isMissing("catalog and blobs on disk", !isOnPostgres && !isOnS3);

/** The variables of a new, empty catalog and a new, empty bucket, as far as they are chosen. */
export async function freshStores(): Promise<Environment> {
  return { ...(isOnPostgres ? await freshDatabase() : {}), ...(isOnS3 ? await freshBucket() : {}) };
}

async function freshDatabase(): Promise<Environment> {
  const { postgresServer } = await import("../server/catalog/postgres/server.fixture.ts");
  return { DATABASE_URL: await (await postgresServer()).fresh() };
}

async function freshBucket(): Promise<Environment> {
  const { s3Server } = await import("../server/blobs/s3/s3-server.fixture.ts");
  const { onS3 } = await import("./on-s3.ts");
  return onS3(await (await s3Server()).fresh());
}
