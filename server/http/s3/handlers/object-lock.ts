import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { childText } from "../../../runtime/xml.ts";
import { findObjectPlace } from "../../../semantics/s3/object-key.ts";
import { type BucketInput, type ObjectInput, requireBucket } from "../s3-input.ts";
import { checkVersion } from "../version-id.ts";
import { ANYTHING } from "../xml/document-shape.ts";
import { readXml } from "../xml/read-xml.ts";
import { missingObject } from "./get-object.ts";

/* No bucket has an object lock: requests get what S3 says of one without it. */

/** PutObjectLockConfiguration. */
export async function putObjectLock(input: BucketInput): Promise<never> {
  await requireBucket(input);
  const document = await readXml(input.content().chunks, "ObjectLockConfiguration", ANYTHING);
  const enabled = childText(document, "ObjectLockEnabled")?.trim() ?? "Enabled";
  if (enabled !== "Enabled") {
    throw new S3Fault("MalformedXML", "ObjectLockEnabled must be Enabled.");
  }
  throw new S3Fault(
    "InvalidBucketState",
    "Object Lock configuration cannot be enabled on this bucket: the server has no versions.",
  );
}

/** PutObjectRetention. */
export const putRetention = (input: ObjectInput<Authorized<"read">>): Promise<never> =>
  refuse(input, "Retention");

/** PutObjectLegalHold. */
export const putLegalHold = (input: ObjectInput<Authorized<"read">>): Promise<never> =>
  refuse(input, "LegalHold");

/** GetObjectRetention and GetObjectLegalHold. */
export async function noObjectLock(input: ObjectInput<Authorized<"read">>): Promise<never> {
  await requireObject(input);
  throw withoutLock();
}

async function refuse(input: ObjectInput<Authorized<"read">>, root: string): Promise<never> {
  await requireObject(input);
  await readXml(input.content().chunks, root, ANYTHING);
  throw withoutLock();
}

/** The object of a request, or of one that would store it, is in a bucket without an object lock. */
export const withoutLock = (): S3Fault =>
  new S3Fault("InvalidRequest", "Bucket is missing Object Lock Configuration.");

async function requireObject(input: ObjectInput<Authorized<"read">>): Promise<void> {
  checkVersion(input);
  const { caller, objects, bucket, objectKey } = input;
  const place = findObjectPlace(bucket, objectKey);
  const found =
    place === undefined
      ? undefined
      : place.isFolder
        ? await objects.findFolder(caller, place.key)
        : await objects.find(caller, place.key);
  if (found === undefined) throw await missingObject(input);
}
