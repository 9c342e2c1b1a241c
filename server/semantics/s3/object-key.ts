import { Fault } from "../../domain/faults/fault.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { joinKey, parseName } from "../../domain/names/name.ts";
import type { Key, Name } from "../../domain/records.ts";

/** In bytes of UTF-8, as in S3. */
const MAX_OBJECT_KEY_BYTES = 1024;

/** The place of an object in the tree. */
export interface ObjectPlace {
  /** The key of the file or folder, with the bucket. */
  readonly key: Key;
  /** The S3 key ends with a slash. */
  readonly isFolder: boolean;
}

/**
 * The place of an object. S3Fault "KeyTooLongError"; "InvalidArgument": a segment of the key is empty
 * or is not a name that files can have.
 */
export function parseObjectKey(bucket: Name, objectKey: string): ObjectPlace {
  if (Buffer.byteLength(objectKey) > MAX_OBJECT_KEY_BYTES) throw tooLong();
  const isFolder = objectKey.endsWith("/");
  const segments = (isFolder ? objectKey.slice(0, -1) : objectKey).split("/");
  if (segments.includes("")) {
    throw invalid(objectKey, "must not start with `/` or contain `//`");
  }
  if (segments.some((segment) => Buffer.byteLength(segment) > 255)) throw tooLong();
  try {
    return { key: joinKey([bucket, ...segments.map(parseName)]), isFolder };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw invalid(objectKey, `has a segment that is not a valid name: ${error.message}`);
  }
}

/** Like `parseObjectKey`; undefined: no object has such a key. */
export function findObjectPlace(bucket: Name, objectKey: string): ObjectPlace | undefined {
  try {
    return parseObjectKey(bucket, objectKey);
  } catch (error) {
    if (error instanceof S3Fault) return undefined;
    throw error;
  }
}

/** The S3 key of a file or folder in a bucket. */
export const objectKeyOf = (key: Key): string => key.slice(key.indexOf("/") + 1);

const tooLong = (): S3Fault =>
  new S3Fault(
    "KeyTooLongError",
    `A key has at most ${MAX_OBJECT_KEY_BYTES} bytes of UTF-8, and 255 between two slashes.`,
  );

const invalid = (objectKey: string, problem: string): S3Fault =>
  new S3Fault("InvalidArgument", `The key ${problem}`, {
    fields: { ArgumentName: "key", ArgumentValue: objectKey.slice(0, 256).toWellFormed() },
  });
