import type { Key } from "../../domain/records.ts";
import { S3Fault } from "../../domain/s3-fault.ts";
import { parseObjectKey } from "../../semantics/s3/object-key.ts";
import type { ObjectInput } from "./s3-input.ts";

/** The multipart upload that a request is about. S3Fault "NoSuchUpload": there can be none of this key. */
export function readUploadId({ query, bucket, objectKey }: ObjectInput): { id: string; key: Key } {
  return { id: query.get("uploadId") ?? "", key: parseUploadKey({ bucket, objectKey }) };
}

/** S3Fault "InvalidArgument": the key is that of a folder. */
export function parseUploadKey({
  bucket,
  objectKey,
}: Pick<ObjectInput, "bucket" | "objectKey">): Key {
  const { key, isFolder } = parseObjectKey(bucket, objectKey);
  if (!isFolder) return key;
  throw new S3Fault("InvalidArgument", "A key that ends with `/` cannot be uploaded in parts.");
}
