import { Client } from "pg";
import { createS3Client } from "../../server/blobs/s3/s3-client.ts";
import type { S3Settings } from "../../server/blobs/s3/s3-settings.ts";
import { readList, textIn } from "../../server/blobs/s3/xml.ts";
import { childrenOf } from "../../server/runtime/xml.ts";
import { multipartUploadsIn } from "../../test/s3-environment.ts";

/** The stores that the instances share. */
export interface Stores {
  readonly databaseUrl: string;
  readonly s3: S3Settings;
}

/** Lifetime of a lease without a heartbeat, as in the product. */
export const LEASE_MS = 30_000;

const BLOCK_SIZE = 256;
/** Owner of a block without uploads, which is swept once more a day later, as a store may write late. */
const CLOSED = "closed";

/**
 * Finds leftovers in the database and the bucket, one sentence each. Nobody may be uploading.
 * `alive` is the number of running servers.
 */
export async function findSharedLeftovers(stores: Stores, alive: number): Promise<string[]> {
  const catalog = await readCatalog(stores.databaseUrl);
  const found: string[] = [];
  const known = new Map(catalog.files.map(({ blobId, size }) => [blobKey(blobId), size]));
  for (const { key, size } of await objectsIn(stores.s3)) {
    // The second is written while the store is slow, to learn when it is not any more.
    if (key === "holdall.json" || key === "write-check") continue;
    const wanted = known.get(key);
    known.delete(key);
    if (wanted === undefined) found.push(`The object ${key} has no record.`);
    else if (wanted !== size) found.push(`The object ${key} has ${size} bytes, not ${wanted}.`);
  }
  for (const key of known.keys()) found.push(`A record's blob, ${key}, is missing.`);
  for (const id of await multipartUploadsIn(stores.s3))
    found.push(`The multipart upload ${id} is stale.`);
  const leases = catalog.leases.filter(({ owner }) => owner !== CLOSED);
  const owners = new Set(leases.map(({ owner }) => owner));
  if (owners.size > alive) found.push(`${owners.size} lease owners, but ${alive} servers.`);
  for (const { owner, age } of leases) {
    if (owner === "" || age > LEASE_MS) found.push(`A lease of a dead owner: ${age} ms.`);
  }
  if (catalog.removed > 0) found.push(`${catalog.removed} removed folders are not emptied.`);
  if (catalog.condemned > 0) found.push(`${catalog.condemned} deletions are not finished.`);
  return found;
}

/** Waits until there are no leftovers; returns those that remain after the timeout. */
export async function waitForNoSharedLeftovers(
  stores: Stores,
  alive: number,
  timeoutMs: number,
): Promise<string[]> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const left = await findSharedLeftovers(stores, alive);
    if (left.length === 0 || performance.now() > until) return left;
    await Bun.sleep(500);
  }
}

/** Makes all leases old enough to have expired. */
export async function ageLeases({ databaseUrl }: Stores): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query("update blob_leases set heartbeat = heartbeat - $1::bigint", [LEASE_MS + 1000]),
  );
}

async function readCatalog(url: string) {
  return withClient(url, async (client) => {
    const files = await client.query<{ blobId: string; size: string }>(
      'select blob_id as "blobId", size from files',
    );
    const leases = await client.query<{ owner: string; age: string }>(
      "select owner, floor(extract(epoch from clock_timestamp()) * 1000)::bigint - heartbeat as age from blob_leases",
    );
    const counts = await client.query<{ condemned: number; removed: number }>(
      `select (select count(*)::int from condemned) as condemned,
        (select count(*)::int from folders where left(key, 1) = chr(1)) as removed`,
    );
    return {
      files: files.rows.map(({ blobId, size }) => ({ blobId: Number(blobId), size: Number(size) })),
      leases: leases.rows.map(({ owner, age }) => ({ owner, age: Number(age) })),
      condemned: counts.rows[0]?.condemned ?? 0,
      removed: counts.rows[0]?.removed ?? 0,
    };
  });
}

async function withClient<T>(url: string, ask: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}

async function objectsIn(settings: S3Settings): Promise<{ key: string; size: number }[]> {
  const client = createS3Client(settings);
  const found: { key: string; size: number }[] = [];
  for (let token = ""; ; ) {
    const more = token === "" ? {} : { "continuation-token": token };
    const { text } = await client.send({ method: "GET", query: { "list-type": "2", ...more } });
    const list = readList(text, "The objects");
    for (const entry of childrenOf(list, "Contents")) {
      found.push({ key: textIn(entry, "Key"), size: Number(textIn(entry, "Size")) });
    }
    token = textIn(list, "NextContinuationToken");
    if (token === "") return found;
  }
}

function blobKey(blobId: number): string {
  const block = Math.floor(blobId / BLOCK_SIZE)
    .toString(16)
    .padStart(11, "0");
  return `blobs/${block}/${(blobId % BLOCK_SIZE).toString(16).padStart(2, "0")}`;
}
