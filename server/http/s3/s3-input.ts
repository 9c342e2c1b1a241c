import type { Caller } from "../../domain/callers/caller.ts";
import { noSuchBucket, S3Fault } from "../../domain/faults/s3-fault.ts";
import type { FolderRecord, Key, Name } from "../../domain/records.ts";
import type { ObjectService } from "../../objects/object-service.ts";
import { parseObjectKey } from "../../semantics/s3/object-key.ts";
import type { Content, ContentOptions } from "./body/read-content.ts";
import type { S3Query } from "./s3-query.ts";

/** An authenticated S3 request. */
export interface S3Input<C extends Caller = Caller> {
  readonly request: Request;
  /** With the fields that a presigned URL has in its query. */
  readonly headers: Headers;
  readonly query: S3Query;
  readonly requestId: string;
  readonly caller: C;
  readonly objects: ObjectService;
  /** The URL of the server as the client knows it, without a trailing slash. */
  readonly origin: string;
  /** The body, which is checked while it is read. To be called once. */
  content(options?: ContentOptions): Content;
}

/** A request about a bucket that the caller sees. */
export interface BucketInput<C extends Caller = Caller> extends S3Input<C> {
  readonly bucket: Name;
}

/** A request about an object, which need not exist. */
export interface ObjectInput<C extends Caller = Caller> extends BucketInput<C> {
  /** As the client wrote it: without the bucket, perhaps with a slash at the end. */
  readonly objectKey: string;
}

export type BucketHandler = (input: BucketInput) => Promise<Response>;

export const bucketKey = (bucket: Name): Key => bucket as string as Key;

/** The folder of the bucket. S3Fault "NoSuchBucket": the caller sees none. */
export async function requireBucket({
  caller,
  objects,
  bucket,
}: BucketInput): Promise<FolderRecord> {
  const folder = await objects.bucket(caller, bucketKey(bucket));
  if (folder === undefined) throw noSuchBucket(bucket);
  return folder;
}

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
