import type { S3Settings } from "../blobs/s3/s3-settings.ts";
import { examineS3Endpoint } from "./advice/examine-addresses.ts";
import type { EnvironmentReader } from "./environment-reader.ts";
import { duration, httpUrl, matching, oneOf, text } from "./schemas.ts";
import { optional, shownAsLength, withDefault } from "./variable.ts";

/** The variables of an S3 store. They are read only if BLOBS is s3. */
export const s3Variables = {
  endpoint: optional(
    "S3_ENDPOINT",
    httpUrl("https://s3.example.com"),
    "Address of the S3 store, such as `https://s3.example.com`.",
    {
      defaultText: "Amazon's endpoint of the region",
      // It may contain a password.
      shown: () => '"…"',
      examine: examineS3Endpoint,
    },
  ),
  bucket: optional(
    "S3_BUCKET",
    matching(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      "the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens",
    ),
    "Bucket for this instance alone. It must be empty at first.",
  ),
  region: withDefault(
    "S3_REGION",
    matching(/^[a-z0-9-]{1,64}$/i, "a region such as eu-central-1"),
    "us-east-1",
    "Region of the bucket.",
  ),
  accessKeyId: optional(
    "S3_ACCESS_KEY_ID",
    matching(/^[\x21-\x7e]*$/, "printable ASCII without spaces"),
    "Access key. It must be allowed to list the bucket and its multipart uploads, and to read, write and delete objects.",
  ),
  secretAccessKey: optional("S3_SECRET_ACCESS_KEY", text, "Secret of the access key.", {
    shown: shownAsLength,
  }),
  forcePathStyle: optional(
    "S3_FORCE_PATH_STYLE",
    oneOf(["true", "false"]),
    "`true` uses `https://s3.example.com/bucket`, `false` uses `https://bucket.s3.example.com`.",
    { defaultText: "`true` with `S3_ENDPOINT`, otherwise `false`" },
  ),
  timeout: withDefault(
    "S3_TIMEOUT",
    duration(1000, "a duration of at least 1s, such as 30s"),
    "30s",
    "Timeout for a silent S3 store, over all retries of one request.",
  ),
};

const REQUIRED = [s3Variables.bucket, s3Variables.accessKeyId, s3Variables.secretAccessKey];

export function readS3({ read, isSet, reject }: EnvironmentReader): S3Settings {
  for (const variable of REQUIRED) {
    if (isSet(variable)) continue;
    const what = variable === s3Variables.bucket ? "the name of a bucket" : "given";
    reject(variable, `${what} when BLOBS is s3`);
  }
  const region = read(s3Variables.region);
  const endpoint = read(s3Variables.endpoint) ?? amazonEndpoint(region);
  if (endpoint === undefined) reject(s3Variables.region, "a region such as eu-central-1");
  const style = read(s3Variables.forcePathStyle) ?? String(isSet(s3Variables.endpoint));
  const forcePathStyle = style === "true";
  // Virtual-hosted style puts the bucket in front of the host name, which an address does not have.
  if (!forcePathStyle && /^(?:[\d.]+|\[.*\])$/.test(URL.parse(endpoint ?? "")?.hostname ?? "")) {
    reject(s3Variables.forcePathStyle, "true when S3_ENDPOINT is an IP address");
  }
  return {
    endpoint: endpoint ?? "",
    bucket: read(s3Variables.bucket) ?? "",
    region,
    accessKeyId: read(s3Variables.accessKeyId) ?? "",
    secretAccessKey: read(s3Variables.secretAccessKey) ?? "",
    forcePathStyle,
    timeout: read(s3Variables.timeout),
  };
}

/** undefined: no host name contains the region. */
const amazonEndpoint = (region: string): string | undefined =>
  httpUrl("").safeParse(`https://s3.${region}.amazonaws.com`).data;
