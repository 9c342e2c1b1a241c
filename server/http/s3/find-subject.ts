import { noSuchBucket, noSuchKey } from "../../domain/faults/s3-fault.ts";
import { findObjectPlace } from "../../semantics/s3/object-key.ts";
import { parseCopySource } from "./copy-source.ts";
import { missingObject } from "./handlers/get-object.ts";
import {
  type BucketInput,
  bucketKey,
  type ObjectInput,
  readUploadId,
  requireBucket,
  type S3Input,
} from "./s3-input.ts";
import type { BucketSubject, ObjectSubject, S3Subject } from "./s3-operations.ts";

/*
 * Lookups of the subjects of operations. A subject that the caller does not see is missing. S3Faults "NoSuchBucket", "NoSuchKey",
 * "NoSuchUpload", "InvalidArgument".
 */

type Finders<Subject extends S3Subject, Input> = Readonly<
  Record<Subject, (input: Input) => Promise<unknown>>
>;

export const serviceFinders: Finders<"nothing", S3Input> = { nothing: async () => {} };

export const bucketFinders: Finders<BucketSubject, BucketInput> = {
  ...serviceFinders,
  bucket: requireBucket,
};

export const objectFinders: Finders<ObjectSubject, ObjectInput> = {
  bucket: requireBucket,
  object: requireObject,
  async source(input) {
    await requireBucket(input);
    await requireSource(input);
  },
  upload: requireUpload,
  async "upload and source"(input) {
    await requireUpload(input);
    await requireSource(input);
  },
};

async function requireObject(input: ObjectInput): Promise<void> {
  const place = findObjectPlace(input.bucket, input.objectKey);
  const exists = place !== undefined && (await input.objects.exists(input.caller, place));
  if (!exists) throw await missingObject(input);
}

async function requireSource({ headers, caller, objects }: ObjectInput): Promise<void> {
  const { bucket, name, objectKey } = parseCopySource(headers);
  if (name === undefined || (await objects.bucket(caller, bucketKey(name))) === undefined) {
    throw noSuchBucket(bucket);
  }
  const place = findObjectPlace(name, objectKey);
  const exists = place !== undefined && (await objects.exists(caller, place));
  if (!exists) throw noSuchKey(objectKey);
}

function requireUpload(input: ObjectInput): Promise<unknown> {
  const { id, key } = readUploadId(input);
  return input.objects.multipart.find(input.caller, id, key);
}
