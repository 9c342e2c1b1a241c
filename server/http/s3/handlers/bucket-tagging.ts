import { z } from "zod";
import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { MAX_BUCKET_TAGS, type Tags } from "../../../semantics/s3/tags.ts";
import type { Audited } from "../audited.ts";
import { type BucketInput, bucketKey, requireBucket } from "../s3-input.ts";
import { setBucketSetting } from "../set-bucket-setting.ts";
import { readTagging, taggingResponse } from "../xml/tagging.ts";

const TAGS = z.array(z.tuple([z.string(), z.string()]));

/** GetBucketTagging. */
export async function getBucketTagging(input: BucketInput): Promise<Response> {
  await requireBucket(input);
  const { caller, objects, bucket } = input;
  const text = (await objects.bucketSettings(caller, bucketKey(bucket)))?.tags;
  if (text !== undefined) return taggingResponse(TAGS.parse(JSON.parse(text)));
  throw new S3Fault("NoSuchTagSet", "The bucket has no tags.", { fields: { BucketName: bucket } });
}

/** PutBucketTagging. */
export const putBucketTagging = async (input: BucketInput<Authorized<"write">>): Promise<Audited> =>
  setBucketTags(input, await readTagging(input.content().chunks, MAX_BUCKET_TAGS), 200);

/** DeleteBucketTagging. */
export const deleteBucketTagging = (input: BucketInput<Authorized<"write">>): Promise<Audited> =>
  setBucketTags(input, [], 204);

/** An empty list removes the tags. S3Fault "NoSuchBucket". */
export const setBucketTags = (
  input: BucketInput<Authorized<"write">>,
  tags: Tags,
  status: 200 | 204,
): Promise<Audited> => {
  const value = tags.length === 0 ? null : JSON.stringify(tags);
  return setBucketSetting(input, { name: "tags", value }, status);
};
