import type { BucketAddress } from "../blobs/s3/s3-settings.ts";
import { ConfigError } from "./config.ts";
import type { Environment } from "./environment-reader.ts";

/** What the command line says of a bucket to import. */
export interface BucketOptions {
  readonly bucket: string;
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly kind: BucketAddress["kind"];
}

/**
 * The address and the credentials of a bucket of another server: what the command line leaves out comes from
 * the variables of aws-cli. There is no default endpoint, so that no request leaves for one that nobody named.
 * Throws `ConfigError` if something is missing or invalid.
 */
export function readBucketAddress(env: Environment, options: BucketOptions): BucketAddress {
  const read = (...names: string[]): string | undefined =>
    names.map((name) => env[name]?.trim()).find((value) => value !== undefined && value !== "");
  const endpoint = options.endpoint ?? read("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");
  if (endpoint === undefined) {
    throw new ConfigError(
      "The server of the bucket is not named: give --endpoint URL, such as http://minio:9000, or set AWS_ENDPOINT_URL.",
    );
  }
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "") {
    throw new ConfigError("The endpoint must be an http or https URL, such as http://minio:9000.");
  }
  const accessKeyId = read("AWS_ACCESS_KEY_ID");
  const secretAccessKey = read("AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError(
      "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set: set them to credentials that may list and read the bucket.",
    );
  }
  return {
    bucket: options.bucket,
    kind: options.kind,
    endpoint: url.href.replace(/\/+$/, ""),
    region: options.region ?? read("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1",
    accessKeyId,
    secretAccessKey,
    sessionToken: read("AWS_SESSION_TOKEN") ?? null,
  };
}
