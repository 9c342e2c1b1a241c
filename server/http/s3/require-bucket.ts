import type { FolderRecord } from "../../domain/records.ts";
import { noSuchBucket } from "../../domain/s3-fault.ts";
import { type BucketInput, bucketKey } from "./s3-input.ts";

/** The folder of the bucket. S3Fault "NoSuchBucket": the caller sees none. */
export async function requireBucket({ objects, bucket }: BucketInput): Promise<FolderRecord> {
  const folder = await objects.bucket(bucketKey(bucket));
  if (folder === undefined) throw noSuchBucket(bucket);
  return folder;
}
