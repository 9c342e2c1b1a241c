import type { S3Settings } from "../blobs/s3/s3-settings.ts";

/** How `readConfig` reads variables and hears of mistakes. */
export interface Reading {
  value(name: string): string | undefined;
  wrong(name: string, allowed: string, shown?: string): void;
  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T;
  /** In milliseconds; undefined: it is none. */
  parseDuration(text: string): number | undefined;
}

const USUAL_REGION = "us-east-1";
const USUAL_TIMEOUT = 30_000;
const SHORTEST_TIMEOUT = 1000;

/** The variables of S3. Without an endpoint, it is Amazon's. */
export function readS3({ value, wrong, oneOf, parseDuration }: Reading): S3Settings {
  const region = regionOf(value("S3_REGION") ?? USUAL_REGION, wrong);
  const bucket = value("S3_BUCKET") ?? "";
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    wrong(
      "S3_BUCKET",
      "the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens",
    );
  }
  for (const name of ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"]) {
    if (value(name) === undefined) wrong(name, "given when BLOBS is s3");
  }
  if (!/^[\x21-\x7e]*$/.test(value("S3_ACCESS_KEY_ID") ?? "")) {
    wrong("S3_ACCESS_KEY_ID", "printable ASCII without spaces");
  }
  const endpoint = value("S3_ENDPOINT");
  const style = endpoint === undefined ? "false" : "true";
  const given = value("S3_TIMEOUT");
  const timeout = given === undefined ? USUAL_TIMEOUT : (parseDuration(given) ?? 0);
  if (timeout < SHORTEST_TIMEOUT) wrong("S3_TIMEOUT", "a duration of at least 1s, such as 30s");
  const forcePathStyle = oneOf("S3_FORCE_PATH_STYLE", ["true", "false"], style) === "true";
  const address = endpointOf(endpoint ?? `https://s3.${region}.amazonaws.com`, wrong);
  // No name of a bucket goes in front of it.
  if (!forcePathStyle && /^(?:[\d.]+|\[.*\])$/.test(URL.parse(address)?.hostname ?? "")) {
    wrong("S3_FORCE_PATH_STYLE", "true when S3_ENDPOINT is an IP address");
  }
  return {
    endpoint: address,
    bucket,
    region,
    accessKeyId: value("S3_ACCESS_KEY_ID") ?? "",
    secretAccessKey: value("S3_SECRET_ACCESS_KEY") ?? "",
    forcePathStyle,
    timeout,
  };
}

function regionOf(text: string, wrong: Reading["wrong"]): string {
  if (/^[a-z0-9-]{1,64}$/i.test(text)) return text;
  wrong("S3_REGION", "a region such as eu-central-1");
  return USUAL_REGION;
}

function endpointOf(text: string, wrong: Reading["wrong"]): string {
  const url = URL.parse(text);
  const isPlain = url?.username === "" && url.password === "" && !/[?#]/.test(text);
  if (url !== null && /^https?:$/.test(url.protocol) && isPlain)
    return url.href.replace(/\/+$/, "");
  // It may hold a password, so it is not shown.
  wrong("S3_ENDPOINT", "an http or https address such as https://s3.example.com", "…");
  return "";
}
