import { uriEncode } from "../../semantics/s3-signature/uri-encode.ts";

/** Address, credentials and timeout of a bucket. */
export interface S3Settings {
  /** Without a slash at the end. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** true: the bucket is the first segment of the path; false: the first label of the host. */
  readonly forcePathStyle: boolean;
  /** In milliseconds, for all attempts of one request together. */
  readonly timeout: number;
}

/** The URL of the bucket, without a slash at the end. */
export function bucketUrl({ endpoint, bucket, forcePathStyle }: S3Settings): string {
  if (forcePathStyle) return `${endpoint}/${bucket}`;
  const url = new URL(endpoint);
  url.hostname = `${bucket}.${url.hostname}`;
  return url.href.replace(/\/+$/, "");
}

/** A key as a URL path, encoded as AWS Signature Version 4 requires. */
export const keyPath = (key: string): string => key.split("/").map(uriEncode).join("/");

/** A bucket of another server, and what that is like. */
export interface BucketAddress extends Omit<S3Settings, "forcePathStyle" | "timeout"> {
  /** The token of temporary credentials; null: none. */
  readonly sessionToken: string | null;
  /** "supabase": Supabase Storage, whose S3 API has neither tags nor ACLs. */
  readonly kind: "s3" | "supabase";
}
