import { createHash } from "node:crypto";
import type { Inventory } from "../inventory.ts";
import { abortMultipart, completeMultipart, listParts, uploadPart } from "./multipart-client.ts";
import { elementsOf, type S3Client } from "./s3-client.ts";
import type { S3Scenario } from "./s3-scenarios.ts";
import { LAST_PART, type S3Seed, type SeedUpload, type UploadName, withObject } from "./s3-seed.ts";

export interface FinishedUploads {
  /** What must be visible now. */
  readonly inventory: Inventory;
  /** Broken promises, one sentence each. */
  readonly broken: readonly string[];
}

const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");
const etagOf = (parts: ReadonlyMap<number, Uint8Array>): string => {
  const sums = [...parts.values()].map((bytes) => Buffer.from(md5(bytes), "hex"));
  return `"${md5(Buffer.concat(sums))}-${parts.size}"`;
};

/** Compares the stored parts with those that were acknowledged. Returns one sentence each. */
export async function checkParts(
  s3: S3Client,
  seed: S3Seed,
  scenario: S3Scenario,
  succeeded: boolean,
): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, upload] of Object.entries(seed.uploads)) {
    const found = await listParts(s3, upload);
    const ends = scenario.completes === name || scenario.aborts === name;
    if (found === undefined) {
      if (!ends) broken.push(`The upload ${name} is missing.`);
      continue;
    }
    if (ends && succeeded) broken.push(`The upload ${name} is still open.`);
    const before = describeParts(upload.parts);
    const after = describeParts(partsAfter(name, upload, scenario));
    const actual = JSON.stringify([...found]);
    if (actual !== after && (succeeded || actual !== before)) {
      broken.push(`The upload ${name} has the parts ${actual}, not ${after}.`);
    }
  }
  return broken;
}

const describeParts = (parts: ReadonlyMap<number, Uint8Array>): string =>
  JSON.stringify([...parts].map(([number, bytes]) => [number, `"${md5(bytes)}"`]));

function partsAfter(
  name: string,
  { parts }: SeedUpload,
  { stores }: S3Scenario,
): ReadonlyMap<number, Uint8Array> {
  if (stores?.upload !== name) return parts;
  return new Map([...parts, [stores.number, stores.bytes]]);
}

/**
 * After a crash during the request of a scenario: the client sends the part again if it has no response,
 * completes all uploads twice, and compares the responses. `inventory` is what was visible before.
 */
export async function finishUploads(
  s3: S3Client,
  seed: S3Seed,
  scenario: S3Scenario,
  inventory: Inventory,
): Promise<FinishedUploads> {
  const broken: string[] = [];
  let all = inventory;
  for (const [name, upload] of entriesOf(seed.uploads)) {
    const parts = new Map(partsAfter(name, upload, scenario));
    if (scenario.aborts === name) {
      const { status } = await abortMultipart(s3, upload);
      if (status !== 204 && status !== 404) broken.push(`The second abort got ${status}.`);
      continue;
    }
    if (scenario.stores?.upload === name || parts.size === 0) {
      const { number, bytes } = scenario.stores ?? { number: 1, bytes: LAST_PART };
      const { status, text } = await uploadPart(s3, upload, number, bytes);
      if (status !== 200) broken.push(`A part of ${name} got ${status} ${text}`);
      parts.set(number, bytes);
    }
    const etags = new Map([...parts].map(([number, bytes]) => [number, `"${md5(bytes)}"`]));
    for (const time of ["first", "second"]) {
      const answer = await completeMultipart(s3, upload, etags);
      const [etag] = elementsOf(answer, "ETag");
      if (answer.status !== 200 || etag !== etagOf(parts)) {
        broken.push(`The ${time} Complete of ${name} got ${answer.status} ${answer.text}`);
      }
    }
    all = withObject(all, upload.key, Buffer.concat([...parts.values()]));
  }
  return { inventory: all, broken };
}

const NAMES: readonly UploadName[] = ["fresh", "growing", "ready", "gapped"];
const entriesOf = (uploads: S3Seed["uploads"]) =>
  NAMES.map((name): [UploadName, SeedUpload] => [name, uploads[name]]);
