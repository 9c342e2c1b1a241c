import { isBucketName } from "../../contract/text/bucket-name.ts";
import { keyIdOf } from "../semantics/s3-signature/credential.ts";
import type { InitialBucket } from "./config.ts";
import { parsed, type TextSchema } from "./schemas.ts";

/** MinIO refuses shorter ones, too. */
export const MIN_S3_SECRET_LENGTH = 8;
/** A shorter secret gets a warning. */
export const SAFE_S3_SECRET_LENGTH = 16;

/** Secrets that are in the documentation of MinIO, and so in every list of an attacker. */
const KNOWN_SECRETS = new Set([
  ...["minioadmin", "minio123", "minio1234", "minio12345", "minio-secret-key", "minioroot"],
  ...["miniosecret", "miniosecretkey", "miniostorage", "password", "password123", "changeme"],
  ...["wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "CHANGEME123", "supersecret", "changeme123"],
]);

/** Whether somebody could guess the secret, so that a web page could try it against the server. */
export const isWeakS3Secret = (secret: string | null): boolean =>
  secret !== null && (secret.length < SAFE_S3_SECRET_LENGTH || KNOWN_SECRETS.has(secret));

/** An access key that fits into the credential of every version of the signature. */
export const initialAccessKey: TextSchema<string> = parsed(
  (given) =>
    /^[A-Za-z0-9_.@+~-]{3,128}$/.test(given) && keyIdOf(given) === undefined ? given : undefined,
  "3 to 128 letters, digits or characters of _.@+~-, and not the ID of an API key",
);

const PUBLIC = new Set(["download", "public-read"]);
const PRIVATE = new Set(["", "none", "private"]);

/** Entries are separated by commas, semicolons or spaces: `uploads,assets:download`. */
export const initialBuckets: TextSchema<readonly InitialBucket[]> = parsed((given) => {
  const buckets = new Map<string, InitialBucket>();
  for (const entry of given.split(/[,;\s]+/)) {
    if (entry === "") continue;
    const [name = "", access = "", ...more] = entry.split(":");
    const isPublic = PUBLIC.has(access);
    const isKnown = isPublic || PRIVATE.has(access);
    if (!isBucketName(name) || !isKnown || more.length > 0 || buckets.has(name)) return undefined;
    buckets.set(name, { name, isPublic });
  }
  return [...buckets.values()];
}, "names of buckets, each once, such as uploads,assets:download, where everyone may read assets. With :public and :upload strangers could write, which Holdall never allows");
