import type { Authorized } from "../../domain/callers/authorize.ts";
import { noSuchBucket, noSuchKey, S3Fault } from "../../domain/faults/s3-fault.ts";
import { tryParseName } from "../../domain/names/name.ts";
import type { FileRecord, FolderRecord } from "../../domain/records.ts";
import { parseHttpDate } from "../../semantics/etag.ts";
import { headerText } from "../../semantics/s3/header-text.ts";
import { FOLDER_ETAG, objectEtag } from "../../semantics/s3/object-etag.ts";
import { findObjectPlace, type ObjectPlace } from "../../semantics/s3/object-key.ts";
import { checkReadConditions } from "../../semantics/s3/read-conditions.ts";
import { bucketKey, type ObjectInput } from "./s3-input.ts";
import { checkVersion } from "./version-id.ts";

/** A request that copies. */
type CopyInput = ObjectInput<Authorized<"read">>;

/** The object that a copy reads: a file, or a folder that is an object without bytes. */
export type CopySource =
  | { readonly kind: "file"; readonly file: FileRecord }
  | { readonly kind: "folder"; readonly folder: FolderRecord };

/**
 * The object that `x-amz-copy-source` names, if it meets the conditions of `x-amz-copy-source-if-…`.
 * S3Faults "NoSuchBucket", "NoSuchKey", "PreconditionFailed", "InvalidArgument".
 */
export async function findCopySource({ headers, caller, objects }: CopyInput): Promise<CopySource> {
  const { bucket, name, objectKey } = parseCopySource(headers);
  if (name === undefined || (await objects.bucket(caller, bucketKey(name))) === undefined) {
    throw noSuchBucket(bucket);
  }
  const source = await findSource({ caller, objects }, findObjectPlace(name, objectKey));
  if (source === undefined) throw noSuchKey(objectKey);
  const verdict = checkReadConditions(
    {
      ifMatch: headers.get("x-amz-copy-source-if-match"),
      ifUnmodifiedSince: dateIn(headers, "x-amz-copy-source-if-unmodified-since"),
      ifNoneMatch: headers.get("x-amz-copy-source-if-none-match"),
      ifModifiedSince: dateIn(headers, "x-amz-copy-source-if-modified-since"),
    },
    source.kind === "file"
      ? { etag: objectEtag(source.file), modifiedAt: source.file.modifiedAt }
      : { etag: FOLDER_ETAG, modifiedAt: source.folder.updatedAt },
  );
  if (verdict === "passed") return source;
  throw new S3Fault("PreconditionFailed", "The source does not match the conditions.");
}

/** Same as `findCopySource`, of a file. */
export async function findCopiedFile(input: CopyInput): Promise<FileRecord> {
  const source = await findCopySource(input);
  if (source.kind === "file") return source.file;
  throw new S3Fault("InvalidRequest", "The source is a folder, which has no bytes.");
}

async function findSource(
  { caller, objects }: Pick<CopyInput, "caller" | "objects">,
  place: ObjectPlace | undefined,
): Promise<CopySource | undefined> {
  if (place?.isFolder === true) {
    const folder = await objects.findFolder(caller, place.key);
    return folder && { kind: "folder", folder };
  }
  const file = place && (await objects.find(caller, place.key));
  return file && { kind: "file", file };
}

/** A date in a condition. A copy changes something, so one that is not understood is not ignored. */
function dateIn(headers: Headers, name: string): string | null {
  const text = headers.get(name);
  if (text === null || parseHttpDate(text) !== undefined) return text;
  throw new S3Fault(
    "InvalidArgument",
    `${name} must be an HTTP date, such as Wed, 01 Dec 2027 16:00:00 GMT.`,
  );
}

/**
 * The object that `x-amz-copy-source` names: `bucket/key`, percent-encoded, perhaps with a slash before it and `?versionId=` after
 * it. `name`: undefined if no bucket can have the name. S3Fault "InvalidArgument".
 */
export function parseCopySource(headers: Headers) {
  const header = headerText(headers.get("x-amz-copy-source") ?? "");
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
  const bucket = decoded.slice(0, slash);
  return { bucket, name: tryParseName(bucket), objectKey: decoded.slice(slash + 1) };
}
