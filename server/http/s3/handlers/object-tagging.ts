import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { Key } from "../../../domain/records.ts";
import { readS3Attributes } from "../../../semantics/s3/attributes.ts";
import { findObjectPlace } from "../../../semantics/s3/object-key.ts";
import { MAX_OBJECT_TAGS, type Tags } from "../../../semantics/s3/tags.ts";
import type { Audited } from "../audited.ts";
import type { ObjectInput } from "../s3-input.ts";
import { emptyResponse } from "../s3-response.ts";
import { checkVersion } from "../version-id.ts";
import { readTagging, taggingResponse } from "../xml/tagging.ts";
import { missingObject } from "./get-object.ts";

/** GetObjectTagging. */
export async function getObjectTagging(input: ObjectInput<Authorized<"read">>): Promise<Response> {
  checkVersion(input);
  const { caller, objects } = input;
  const place = await requirePlace(input);
  if (place === "folder") return taggingResponse([]);
  const file = await objects.find(caller, place);
  if (file === undefined) throw await missingObject(input);
  return taggingResponse(readS3Attributes(file.s3)?.tags ?? []);
}

/** PutObjectTagging. */
export async function putObjectTagging(input: ObjectInput<Authorized<"write">>): Promise<Audited> {
  checkVersion(input);
  const tags = await readTagging(input.content().chunks, MAX_OBJECT_TAGS);
  return setTags(input, tags, 200);
}

/** DeleteObjectTagging. */
export async function deleteObjectTagging(
  input: ObjectInput<Authorized<"write">>,
): Promise<Audited> {
  checkVersion(input);
  return setTags(input, [], 204);
}

async function setTags(
  input: ObjectInput<Authorized<"write">>,
  tags: Tags,
  status: number,
): Promise<Audited> {
  const place = await requirePlace(input);
  if (place === "folder") {
    if (tags.length > 0) throw folderTags();
    return { response: emptyResponse(status), subject: null, detail: {} };
  }
  const { id } = await input.objects.setTags(input.caller, place, tags);
  const subject = { kind: "file", id, name: place } as const;
  return { response: emptyResponse(status), subject, detail: {} };
}

/** "folder": the object is a folder. NoSuchKey, NoSuchBucket. */
async function requirePlace(input: ObjectInput): Promise<Key | "folder"> {
  const { caller, objects, bucket, objectKey } = input;
  const place = findObjectPlace(bucket, objectKey);
  if (place?.isFolder === false) return place.key;
  const exists = place !== undefined && (await objects.exists(caller, place));
  if (!exists) throw await missingObject(input);
  return "folder";
}

/** Folders have no attributes to keep them with. */
export const folderTags = (): S3Fault =>
  new S3Fault("NotImplemented", "A key that ends with `/` is a folder, and folders have no tags.");
