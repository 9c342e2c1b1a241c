import { createS3Client, type S3Client } from "./s3-client.ts";
import { S3Error, unlessAbsent } from "./s3-error.ts";
import { PREFIX } from "./s3-keys.ts";
import { bodyOf, createS3Objects } from "./s3-objects.ts";
import type { S3Settings } from "./s3-settings.ts";

/** The object that makes a bucket an instance's. */
const MARKER = "holdall.json";
const LAYOUT = 1;

/**
 * Makes the bucket this instance's where it is nobody's yet. Error, one line for people: it cannot
 * be reached, read or written, it is another instance's, or a command still fills it.
 */
export async function claimBucket(settings: S3Settings, instance: string): Promise<void> {
  await explained(settings, async (client) => {
    const claim = await readClaim(client, settings, instance);
    if (claim === undefined) await mark(client, { instance });
    else refuseFilling(claim, settings);
  });
}

/** For whoever must not begin a new store. Error as above, or: it is nobody's yet. */
export async function requireBucket(settings: S3Settings, instance: string): Promise<void> {
  const claim = await explained(settings, (client) => readClaim(client, settings, instance));
  if (claim === undefined) {
    throw new Error(`S3_BUCKET is "${settings.bucket}", which holds no files of Holdall.`);
  }
  refuseFilling(claim, settings);
}

/**
 * For a command that fills the bucket for this instance: until `endFilling`, no server uses it. A
 * bucket that such a command has left half filled is gone on with. `expected` is what else it may
 * be: empty, or this instance's already, published by a command that ended right after; servers may
 * use it by now, and go on. Error as of `claimBucket`, or: there are files in it.
 */
export async function beginFilling(
  settings: S3Settings,
  instance: string,
  expected: "empty" | "published",
): Promise<void> {
  await explained(settings, async (client) => {
    const claim = await readClaim(client, settings, instance);
    if (claim?.filling === true) return;
    if (expected === "published" && claim !== undefined) return;
    for await (const _ of createS3Objects(client).prefixes(PREFIX)) {
      throw new Error(
        `S3_BUCKET is "${settings.bucket}", which has files in it: choose an empty bucket.`,
      );
    }
    await mark(client, { instance, filling: true });
  });
}

/** Lets servers use what `beginFilling` has begun. Doing it again is not an error. */
export async function endFilling(settings: S3Settings, instance: string): Promise<void> {
  await explained(settings, (client) => mark(client, { instance }));
}

interface Claim {
  readonly instance: string;
  readonly filling?: boolean;
}

async function mark(client: S3Client, claim: Claim): Promise<void> {
  const marker = Buffer.from(`${JSON.stringify({ layout: LAYOUT, ...claim })}\n`);
  const headers = { "Content-Type": "application/json" };
  await client.ask({ method: "PUT", key: MARKER, headers, body: bodyOf(marker) });
}

async function readClaim(
  client: S3Client,
  settings: S3Settings,
  instance: string,
): Promise<Claim | undefined> {
  const { bucket } = settings;
  await requireList(client, settings);
  const answer = await client.ask({ method: "GET", key: MARKER }).catch(unlessAbsent);
  if (answer === undefined) return undefined;
  const marker = parse(answer.text);
  if (marker?.layout !== LAYOUT) {
    throw new Error(
      `S3_BUCKET is "${bucket}", whose ${MARKER} is not of this version of Holdall (layout ${LAYOUT}).`,
    );
  }
  if (marker.instance !== instance) {
    throw new Error(
      `S3_BUCKET is "${bucket}", which holds the files of another instance of Holdall: choose a bucket of its own.`,
    );
  }
  return { instance, filling: marker.filling === true };
}

/**
 * Where the endpoint has the bucket's name in it already, objects can be read and written, under other
 * keys, but nothing is there to be listed.
 */
async function requireList(client: S3Client, { endpoint }: S3Settings): Promise<void> {
  const query = { "list-type": "2", "max-keys": "1", prefix: PREFIX };
  const { text } = await client.ask({ method: "GET", query });
  if (text.includes("<ListBucketResult")) return;
  throw new Error(`S3_ENDPOINT is "${endpoint}", but what answers there is no S3.`);
}

function refuseFilling({ filling }: Claim, { bucket }: S3Settings): void {
  if (filling !== true) return;
  throw new Error(
    `S3_BUCKET is "${bucket}", which an unfinished restore or migration has left: run that again, which goes on where it stopped.`,
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

async function explained<T>(
  settings: S3Settings,
  work: (client: S3Client) => Promise<T>,
): Promise<T> {
  try {
    return await work(createS3Client(settings));
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
      `S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not taken by ${endpoint} (${code}).`,
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
