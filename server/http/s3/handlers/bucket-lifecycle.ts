import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { FileRecord } from "../../../domain/records.ts";
import { httpDate } from "../../../semantics/etag.ts";
import { DAY_SECONDS, firstToEnd, readLifecycle } from "../../../semantics/s3/lifecycle.ts";
import { type Audited, changedBucket } from "../audited.ts";
import { LIFECYCLE, lifecycleElements, parseLifecycle } from "../lifecycle-rules.ts";
import { type BucketInput, bucketKey, requireBucket } from "../s3-input.ts";
import { emptyResponse, xmlResponse } from "../s3-response.ts";
import { readXml } from "../xml/read-xml.ts";

/** PutBucketLifecycleConfiguration. */
export async function putBucketLifecycle(
  input: BucketInput<Authorized<"write" | "delete">>,
): Promise<Audited> {
  const { id } = await requireBucket(input);
  const rules = parseLifecycle(
    await readXml(input.content().chunks, "LifecycleConfiguration", LIFECYCLE),
  );
  const { objects, caller, bucket } = input;
  await objects.setBucketLifecycle(caller, { key: bucketKey(bucket), rules });
  return changedBucket(input, id, emptyResponse(200));
}

/** GetBucketLifecycleConfiguration. */
export async function getBucketLifecycle(input: BucketInput): Promise<Response> {
  await requireBucket(input);
  const { caller, objects, bucket } = input;
  const { lifecycle } = (await objects.bucketSettings(caller, bucketKey(bucket))) ?? {};
  if (lifecycle === undefined) {
    throw new S3Fault("NoSuchLifecycleConfiguration", "The bucket has no lifecycle rules.", {
      fields: { BucketName: bucket },
    });
  }
  const { rules } = readLifecycle(lifecycle);
  return xmlResponse("LifecycleConfiguration", { Rule: rules.map(lifecycleElements) });
}

/** DeleteBucketLifecycle. */
export async function deleteBucketLifecycle(
  input: BucketInput<Authorized<"write" | "delete">>,
): Promise<Audited> {
  const { id } = await requireBucket(input);
  const { objects, caller, bucket } = input;
  await objects.setBucketLifecycle(caller, { key: bucketKey(bucket), rules: [] });
  return changedBucket(input, id, emptyResponse(204));
}

/** The header of responses about an object that ends; of others, none. */
export async function expirationHeader(
  { caller, objects, bucket }: BucketInput,
  file: FileRecord,
): Promise<Readonly<Record<string, string>>> {
  if (file.expiresAt === null) return {};
  const { lifecycle } = (await objects.bucketSettings(caller, bucketKey(bucket))) ?? {};
  const rules = lifecycle === undefined ? [] : readLifecycle(lifecycle).rules;
  const rule = firstToEnd(rules, file.key.slice(bucket.length + 1));
  // Something else than the rule may have set it.
  const isByRule =
    rule !== undefined &&
    Math.abs(file.expiresAt - file.modifiedAt - rule.days * DAY_SECONDS * 1000) < 1000;
  const id = isByRule ? encodeURIComponent(rule.id) : "";
  return {
    "x-amz-expiration": `expiry-date="${httpDate(file.expiresAt)}", rule-id="${id}"`,
  };
}
