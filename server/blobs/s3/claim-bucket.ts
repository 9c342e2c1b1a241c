import { createS3Client, type S3Client } from "./s3-client.ts";
import { S3Error, unlessAbsent } from "./s3-error.ts";
import { bodyOf } from "./s3-objects.ts";
import type { S3Settings } from "./s3-settings.ts";

/** The object that makes a bucket an instance's. */
const MARKER = "holdall.json";
const LAYOUT = 1;

/**
 * Makes the bucket this instance's where it is nobody's yet. Error, one line for people: it cannot
 * be reached, read or written, or it is another instance's.
 */
export async function claimBucket(settings: S3Settings, instance: string): Promise<void> {
  const client = createS3Client(settings);
  try {
    if (await isClaimed(client, settings, instance)) return;
    const marker = Buffer.from(`${JSON.stringify({ layout: LAYOUT, instance })}\n`);
    const headers = { "Content-Type": "application/json" };
    await client.ask({ method: "PUT", key: MARKER, headers, body: bodyOf(marker) });
  } catch (error) {
    throw explain(error, settings);
  }
}

/** For whoever must not begin a new store. Error as above, or: it is nobody's yet. */
export async function requireBucket(settings: S3Settings, instance: string): Promise<void> {
  try {
    if (await isClaimed(createS3Client(settings), settings, instance)) return;
  } catch (error) {
    throw explain(error, settings);
  }
  throw new Error(`S3_BUCKET is "${settings.bucket}", which holds no files of Holdall.`);
}

async function isClaimed(
  client: S3Client,
  { bucket }: S3Settings,
  instance: string,
): Promise<boolean> {
  const answer = await client.ask({ method: "GET", key: MARKER }).catch(unlessAbsent);
  if (answer === undefined) return false;
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
  return true;
}

function parse(text: string): { layout?: unknown; instance?: unknown } | undefined {
  try {
    const { layout, instance } = JSON.parse(text);
    return { layout, instance };
  } catch {
    return undefined;
  }
}

function explain(error: unknown, { endpoint, bucket, region }: S3Settings): unknown {
  if (!(error instanceof S3Error)) return error;
  const { status, code } = error;
  if (status === 0) {
    return new Error(`S3_ENDPOINT is "${endpoint}", which does not answer (${error.message}).`);
  }
  if (code === "NoSuchBucket" || status === 404) {
    return new Error(`S3_BUCKET is "${bucket}", and there is no such bucket: create it.`);
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
