import { createS3Client, type S3Client } from "./s3-client.ts";
import { S3Error, unlessAbsent } from "./s3-error.ts";
import { PREFIX } from "./s3-keys.ts";
import { bodyOf, createS3Objects } from "./s3-objects.ts";
import type { S3Settings } from "./s3-settings.ts";

/** The object that records which instance a bucket belongs to. */
const MARKER = "holdall.json";
const LAYOUT = 1;
/** At least, for each request: a store that starts together with the server takes a while for its first replies. */
const MIN_TIMEOUT_MS = 60_000;

/**
 * Claims an unclaimed bucket for this instance. Error with a one-line message: the bucket cannot be
 * reached, read or written, belongs to another instance, or an unfinished command is filling it.
 */
export async function claimBucket(settings: S3Settings, instance: string): Promise<void> {
  await withReadableErrors(settings, async (client) => {
    const claim = await readClaim(client, settings, instance);
    if (claim === undefined) await writeMarker(client, { instance });
    else refuseFilling(claim, settings);
  });
}

/** Like `claimBucket`, but throws an Error if the bucket is unclaimed. */
export async function requireBucket(settings: S3Settings, instance: string): Promise<void> {
  const claim = await withReadableErrors(settings, (client) =>
    readClaim(client, settings, instance),
  );
  if (claim === undefined) {
    throw new Error(`S3_BUCKET is "${settings.bucket}", which has no files of Holdall.`);
  }
  refuseFilling(claim, settings);
}

/**
 * Claims the bucket for a command that fills it: servers do not use it before `endFilling`. Accepts a
 * bucket that such a command left unfinished, otherwise what `expected` says: an empty bucket, or one
 * that a command published before it was killed, which servers may already use. Error as of
 * `claimBucket`, or: the bucket has files.
 */
export async function beginFilling(
  settings: S3Settings,
  instance: string,
  expected: "empty" | "published",
): Promise<void> {
  await withReadableErrors(settings, async (client) => {
    const claim = await readClaim(client, settings, instance);
    if (claim?.filling === true) return;
    if (expected === "published" && claim !== undefined) return;
    for await (const _ of createS3Objects(client).prefixes(PREFIX)) {
      throw new Error(
        `S3_BUCKET is "${settings.bucket}", which has files in it: choose an empty bucket.`,
      );
    }
    await writeMarker(client, { instance, filling: true });
  });
}

/** Lets servers use the bucket. Idempotent. */
export async function endFilling(settings: S3Settings, instance: string): Promise<void> {
  await withReadableErrors(settings, (client) => writeMarker(client, { instance }));
}

interface Claim {
  readonly instance: string;
  readonly filling?: boolean;
}

async function writeMarker(client: S3Client, claim: Claim): Promise<void> {
  const marker = Buffer.from(`${JSON.stringify({ layout: LAYOUT, ...claim })}\n`);
  const headers = { "Content-Type": "application/json" };
  await client.send({ method: "PUT", key: MARKER, headers, body: bodyOf(marker) });
}

async function readClaim(
  client: S3Client,
  settings: S3Settings,
  instance: string,
): Promise<Claim | undefined> {
  const { bucket } = settings;
  await requireList(client, settings);
  const response = await client.send({ method: "GET", key: MARKER }).catch(unlessAbsent);
  if (response === undefined) return undefined;
  const marker = parse(response.text);
  if (marker?.layout !== LAYOUT) {
    throw new Error(
      `S3_BUCKET is "${bucket}", whose ${MARKER} is not of this version of Holdall (layout ${LAYOUT}).`,
    );
  }
  if (marker.instance !== instance) {
    throw new Error(
      `S3_BUCKET is "${bucket}", which has the files of another instance of Holdall: choose another bucket.`,
    );
  }
  return { instance, filling: marker.filling === true };
}

/**
 * Detects an endpoint that already contains the bucket's name: objects can be read and written there,
 * under other keys, but listing fails.
 */
async function requireList(client: S3Client, { endpoint }: S3Settings): Promise<void> {
  const query = { "list-type": "2", "max-keys": "1", prefix: PREFIX };
  const { text } = await client.send({ method: "GET", query });
  if (text.includes("<ListBucketResult")) return;
  throw new Error(`S3_ENDPOINT is "${endpoint}", but that server is not S3.`);
}

function refuseFilling({ filling }: Claim, { bucket }: S3Settings): void {
  if (filling !== true) return;
  throw new Error(
    `S3_BUCKET is "${bucket}", which an unfinished restore or move has left: run that command again, and it continues where it stopped.`,
  );
}

function parse(
  text: string,
): { layout?: unknown; instance?: unknown; filling?: unknown } | undefined {
  try {
    const { layout, instance, filling } = JSON.parse(text);
    return { layout, instance, filling };
  } catch {
    return undefined;
  }
}

async function withReadableErrors<T>(
  settings: S3Settings,
  work: (client: S3Client) => Promise<T>,
): Promise<T> {
  try {
    const timeout = Math.max(settings.timeout, MIN_TIMEOUT_MS);
    return await work(createS3Client({ ...settings, timeout }));
  } catch (error) {
    throw explain(error, settings);
  }
}

function explain(error: unknown, { endpoint, bucket, region }: S3Settings): unknown {
  if (!(error instanceof S3Error)) return error;
  const { status, code } = error;
  if (status === 0) {
    return new Error(`S3_ENDPOINT is "${endpoint}", which does not answer (${error.message}).`);
  }
  if (code === "NoSuchBucket" || status === 404) {
    return new Error(
      `S3_BUCKET is "${bucket}", and there is no such bucket at ${endpoint}: create it, and leave its name out of S3_ENDPOINT.`,
    );
  }
  if (code === "InvalidAccessKeyId" || code === "SignatureDoesNotMatch") {
    return new Error(
      `S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are rejected by ${endpoint} (${code}).`,
    );
  }
  if (status === 301 || status === 307 || code === "AuthorizationHeaderMalformed") {
    return new Error(
      `S3_REGION is "${region}", but the bucket "${bucket}" is elsewhere (${error.message}).`,
    );
  }
  if (status === 403) {
    return new Error(
      `S3_BUCKET is "${bucket}", but this key may not read, write and list it (${error.message}).`,
    );
  }
  return new Error(`S3 at ${endpoint} cannot be used: ${error.message}.`);
}
