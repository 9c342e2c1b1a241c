import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { Key, Name } from "../../../domain/records.ts";
import { parseBucketPolicy } from "../../../semantics/s3/bucket-policy.ts";
import { findObjectPlace } from "../../../semantics/s3/object-key.ts";
import { type Audited, changedBucket } from "../audited.ts";
import { type BucketInput, bucketKey, requireBucket } from "../s3-input.ts";
import { emptyResponse, xmlResponse } from "../s3-response.ts";
import { readText } from "../xml/read-xml.ts";

/** PutBucketPolicy. */
export async function putBucketPolicy(input: BucketInput<Authorized<"write">>): Promise<Audited> {
  const { id } = await requireBucket(input);
  const { bucket, caller, objects } = input;
  const text = await readText(input.content().chunks);
  const { reads, ...policy } = parseBucketPolicy(text, bucket);
  const key = bucketKey(bucket);
  const folder = reads === undefined ? {} : { folder: folderKey(bucket, reads) };
  await objects.setBucketPolicy(caller, { key, policy: { ...policy, ...folder } });
  return changedBucket(input, id, emptyResponse(204), { visibility: "public" });
}

function folderKey(bucket: Name, path: string): Key {
  const key = path === "" ? bucketKey(bucket) : findObjectPlace(bucket, `${path}/`)?.key;
  if (key !== undefined) return key;
  throw new S3Fault("MalformedPolicy", "The policy is not valid: no folder can have this name.");
}

/** GetBucketPolicy. */
export async function getBucketPolicy(input: BucketInput): Promise<Response> {
  const document = await requirePolicy(input);
  return new Response(document, { headers: { "Content-Type": "application/json" } });
}

/** GetBucketPolicyStatus. */
export async function getBucketPolicyStatus(input: BucketInput): Promise<Response> {
  await requirePolicy(input);
  return xmlResponse("PolicyStatus", { IsPublic: true });
}

/** DeleteBucketPolicy. */
export async function deleteBucketPolicy(
  input: BucketInput<Authorized<"write">>,
): Promise<Audited> {
  const { id } = await requireBucket(input);
  const { bucket, caller, objects } = input;
  await objects.setBucketPolicy(caller, { key: bucketKey(bucket), policy: null });
  return changedBucket(input, id, emptyResponse(204));
}

async function requirePolicy(input: BucketInput): Promise<string> {
  await requireBucket(input);
  const { caller, objects, bucket } = input;
  const document = await objects.bucketPolicy(caller, bucketKey(bucket));
  if (document !== undefined) return document;
  throw new S3Fault(
    "NoSuchBucketPolicy",
    "The bucket has no policy, or not all of it is true now.",
    {
      fields: { BucketName: bucket },
    },
  );
}
