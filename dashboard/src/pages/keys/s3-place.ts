import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";

/** The place in the S3 API where an API key may act. */
export interface S3Place {
  readonly bucket: string;
  /** The start of the keys in the bucket: empty, or with a slash at its end. */
  readonly prefix: string;
  /** Whether the key may create buckets. */
  readonly canCreate: boolean;
}

const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** A key for all folders gets an example. undefined: its folder is not in the S3 API. */
export function s3PlaceOf({ folder }: Pick<ApiKeyObject, "folder">): S3Place | undefined {
  if (folder === null) return { bucket: "my-bucket", prefix: "", canCreate: true };
  const [bucket = "", ...segments] = (folder.key ?? "").split("/");
  if (!BUCKET_NAME.test(bucket)) return undefined;
  return { bucket, prefix: segments.map((each) => `${each}/`).join(""), canCreate: false };
}
