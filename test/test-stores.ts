import type { Environment } from "./harness.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";

/*
 * The stores of the servers under test, chosen for a whole run: HOLDALL_TEST_CATALOG=postgres and
 * HOLDALL_TEST_BLOBS=s3. By default everything is in the data folder.
 */

const isOnPostgres = process.env.HOLDALL_TEST_CATALOG === "postgres";
/** Skips tests that inspect blobs on disk or its free space. */
export const isOnS3 = isMissing("blobs on disk", process.env.HOLDALL_TEST_BLOBS !== "s3");

/** Whether everything is in the data folder, as tests of SQLite and of backups need it. */
export const isOnDisk = !isMissing("catalog and blobs on disk", !isOnPostgres && !isOnS3);

/** The environment of an empty database and an empty bucket, as far as they are chosen. */
export async function freshStores(): Promise<Environment> {
  return { ...(isOnPostgres ? await freshDatabase() : {}), ...(isOnS3 ? await freshBucket() : {}) };
}

async function freshDatabase(): Promise<Environment> {
  const { postgresServer } = await import("../server/catalog/postgres/server.fixture.ts");
  return { DATABASE_URL: await (await postgresServer()).fresh() };
}

async function freshBucket(): Promise<Environment> {
  const { s3Server } = await import("../server/blobs/s3/s3-server.fixture.ts");
  const { s3Environment } = await import("./s3-environment.ts");
  return s3Environment(await (await s3Server()).fresh());
}
