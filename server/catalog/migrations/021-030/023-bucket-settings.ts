import type { Migration } from "../migration.ts";

/** Settings of a bucket of the S3 API, such as its CORS rules: see `BucketSettings`. */
export const bucketSettings: Migration = async (db, { text }) => {
  await db.schema.alterTable("folders").addColumn("bucket_settings", text).execute();
};
