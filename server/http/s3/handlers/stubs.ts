import { type S3ErrorCode, S3Fault } from "../../../domain/s3-fault.ts";
import { findObjectPlace } from "../../../semantics/s3/object-key.ts";
import {
  type BucketHandler,
  type BucketInput,
  type ObjectInput,
  requireBucket,
} from "../s3-input.ts";
import { emptyResponse, xmlResponse } from "../s3-response.ts";
import type { XmlFields } from "../xml/write-xml.ts";
import { missingObject } from "./get-object.ts";

/*
 * What clients ask for to find out what a server can do. The answer is that nothing is configured; a
 * request to configure it gets NotImplemented.
 */

const document =
  (root: string, fields: XmlFields = {}): BucketHandler =>
  async (input) => {
    await requireBucket(input);
    return xmlResponse(root, fields);
  };

const notConfigured =
  (code: S3ErrorCode, message: string): BucketHandler =>
  async (input: BucketInput) => {
    await requireBucket(input);
    throw new S3Fault(code, message, { fields: { BucketName: input.bucket } });
  };

/** By the subresource of a GET of a bucket. */
export const bucketStubs: Readonly<Record<string, BucketHandler>> = {
  // The region us-east-1 is the empty one.
  location: document("LocationConstraint"),
  versioning: document("VersioningConfiguration"),
  accelerate: document("AccelerateConfiguration"),
  logging: document("BucketLoggingStatus"),
  notification: document("NotificationConfiguration"),
  requestPayment: document("RequestPaymentConfiguration", { Payer: "BucketOwner" }),
  website: notConfigured("NoSuchWebsiteConfiguration", "The bucket is no website."),
  encryption: notConfigured(
    "ServerSideEncryptionConfigurationNotFoundError",
    "The bucket has no encryption settings.",
  ),
  "object-lock": notConfigured(
    "ObjectLockConfigurationNotFoundError",
    "The bucket has no object lock.",
  ),
  replication: notConfigured(
    "ReplicationConfigurationNotFoundError",
    "The bucket is not replicated.",
  ),
  ownershipControls: notConfigured(
    "OwnershipControlsNotFoundError",
    "The bucket has no ownership controls.",
  ),
};

const nothingToRemove: BucketHandler = async (input) => {
  await requireBucket(input);
  return emptyResponse(204);
};

/** By the subresource of a DELETE of a bucket: what was never set is gone already. */
export const bucketRemovals: Readonly<Record<string, BucketHandler>> = Object.fromEntries(
  [...["encryption", "ownershipControls"], ...["replication", "website"]].map((name) => [
    name,
    nothingToRemove,
  ]),
);

/** GetObjectRetention and GetObjectLegalHold. */
export async function noObjectLock(input: ObjectInput): Promise<Response> {
  await requireObject(input);
  throw new S3Fault("NoSuchObjectLockConfiguration", "The object has no object lock.");
}

async function requireObject(input: ObjectInput): Promise<void> {
  const { caller, objects, bucket, objectKey } = input;
  const place = findObjectPlace(bucket, objectKey);
  const found =
    place === undefined
      ? undefined
      : place.isFolder
        ? await objects.findFolder(caller, place.key, "read")
        : await objects.find(caller, place.key, "read");
  if (found === undefined) throw await missingObject(input);
}
