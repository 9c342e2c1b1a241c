import { tryParseName } from "../../rules/name.ts";
import type { FileRecord } from "../../rules/records.ts";
import { objectEtag } from "../../rules/s3/object-etag.ts";
import { findObjectPlace } from "../../rules/s3/object-key.ts";
import { checkReadConditions } from "../../rules/s3/read-conditions.ts";
import { S3Fault } from "../../rules/s3/s3-fault.ts";
import { bucketKey, noSuchBucket, noSuchKey, type ObjectInput } from "./s3-input.ts";
import { checkVersion } from "./version-id.ts";

/**
 * The object that `x-amz-copy-source` names, if it meets the conditions of `x-amz-copy-source-if-…`.
 * S3Faults "NoSuchBucket", "NoSuchKey", "PreconditionFailed", "InvalidArgument".
 */
export async function findCopySource({ headers, objects }: ObjectInput): Promise<FileRecord> {
  const { bucket, objectKey } = parseCopySource(headers.get("x-amz-copy-source") ?? "");
  const name = tryParseName(bucket);
  if (name === undefined || (await objects.bucket(bucketKey(name))) === undefined) {
    throw noSuchBucket(bucket);
  }
  const place = findObjectPlace(name, objectKey);
  const file =
    place === undefined || place.isFolder ? undefined : await objects.find(place.key, "read");
  if (file === undefined) throw noSuchKey(objectKey);
  const verdict = checkReadConditions(
    {
      ifMatch: headers.get("x-amz-copy-source-if-match"),
      ifUnmodifiedSince: headers.get("x-amz-copy-source-if-unmodified-since"),
      ifNoneMatch: headers.get("x-amz-copy-source-if-none-match"),
      ifModifiedSince: headers.get("x-amz-copy-source-if-modified-since"),
    },
    { etag: objectEtag(file), modifiedAt: file.modifiedAt },
  );
  if (verdict === "passed") return file;
  throw new S3Fault("PreconditionFailed", "The source does not match the conditions.");
}

/** `bucket/key`, percent-encoded, perhaps with a slash before it and `?versionId=` after it. */
function parseCopySource(header: string): { bucket: string; objectKey: string } {
  const question = header.lastIndexOf("?versionId=");
  const path = question < 0 ? header : header.slice(0, question);
  if (question >= 0) {
    const version = header.slice(question + "?versionId=".length);
    checkVersion({ query: { get: () => version } });
  }
  let decoded: string;
  try {
    decoded = decodeURIComponent(path).replace(/^\//, "");
  } catch (cause) {
    throw new S3Fault("InvalidArgument", "x-amz-copy-source must be percent-encoded UTF-8.", {
      cause,
    });
  }
  const slash = decoded.indexOf("/");
  if (slash < 1 || slash === decoded.length - 1) {
    throw new S3Fault("InvalidArgument", "x-amz-copy-source must be a bucket, `/` and a key.");
  }
  return { bucket: decoded.slice(0, slash), objectKey: decoded.slice(slash + 1) };
}
