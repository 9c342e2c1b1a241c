import { Database } from "bun:sqlite";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Entries of a data folder whose server is running or was killed. */
const EXPECTED_NAMES =
  /^(\.gitignore|holdall\.json|auth-secret|ballast|lock|lock-journal|blobs|catalog\.sqlite(-wal|-shm)?)$/;

// These repeat constants of the server on purpose: a check should not share its mistakes.

/** Owner of the leases of a dead server, until the sweep. */
const NO_OWNER = "";

/** Blobs per block, which is one folder. */
const BLOCK_SIZE = 256;

/**
 * Finds leftovers in the data folder, one sentence each: orphaned blobs, records without a blob,
 * empty block folders, unfinished deletions, expired uploads, multipart uploads and batches, leases of dead servers, and
 * unexpected entries. Do not call this after a kill before the next start: opening the catalog repairs
 * it.
 */
export function findLeftovers(dataPath: string): string[] {
  const found = readdirSync(dataPath)
    .filter((name) => !EXPECTED_NAMES.test(name))
    .map((name) => `${name} is in the data folder.`);
  const catalog = readCatalog(join(dataPath, "catalog.sqlite"));
  const blobs = join(dataPath, "blobs");
  const known = new Map(catalog.files.map(({ blobId, size }) => [blobPath(blobId), size]));
  const growing = new Map(catalog.growing.map(({ blobId, size }) => [blobPath(blobId), size]));
  const leased = new Set(catalog.leases.map(({ block }) => blockName(block)));
  for (const block of readdirSync(blobs)) {
    const names = namesIn(join(blobs, block));
    if (names === undefined) continue;
    if (names.length === 0 && !leased.has(block)) found.push(`The folder blobs/${block} is empty.`);
    for (const name of names) {
      const path = `${block}/${name}`;
      const size = statSync(join(blobs, path), { throwIfNoEntry: false })?.size;
      const wanted = known.get(path);
      const acknowledged = growing.get(path);
      known.delete(path);
      growing.delete(path);
      if (acknowledged !== undefined) {
        if (size === undefined || size < acknowledged) {
          found.push(
            `blobs/${path} of an open upload has ${size} bytes, fewer than ${acknowledged}.`,
          );
        }
      } else if (wanted === undefined) found.push(`The blob blobs/${path} has no record.`);
      else if (wanted !== size) found.push(`blobs/${path} has ${size} bytes, not ${wanted}.`);
    }
  }
  for (const path of known.keys()) found.push(`A record's blob, blobs/${path}, is missing.`);
  for (const [path, acknowledged] of growing) {
    // An upload without bytes has no blob yet.
    if (acknowledged > 0) found.push(`The blob of an open upload, blobs/${path}, is missing.`);
  }
  for (const { kind, count } of catalog.expired) {
    if (count > 0) found.push(`${count} expired ${kind} are not removed.`);
  }
  for (const { block, owner } of catalog.leases) {
    if (owner === NO_OWNER) found.push(`The block ${blockName(block)} is leased to a dead server.`);
  }
  if (catalog.removed > 0) found.push(`${catalog.removed} removed folders are not emptied.`);
  if (catalog.condemned > 0) found.push(`${catalog.condemned} deletions are not finished.`);
  return found;
}

/**
 * The same after a clean stop: there must also be no lease, and no file that only a running server
 * needs.
 */
export function findLeftoversAfterStop(dataPath: string): string[] {
  const running = readdirSync(dataPath).filter((name) => /-(wal|shm|journal)$/.test(name));
  const { leases } = readCatalog(join(dataPath, "catalog.sqlite"));
  return [
    ...running.map((name) => `${name} is in the data folder of a stopped server.`),
    ...leases.map(({ block }) => `The block ${blockName(block)} is leased after the stop.`),
    ...findLeftovers(dataPath),
  ];
}

/** undefined: the server has just removed the folder. */
function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (existsSync(folder)) throw error;
    return undefined;
  }
}

interface BlobRow {
  readonly blobId: number;
  /** In bytes; of an open upload, those that are acknowledged. */
  readonly size: number;
}

/** The end of the last stored part in the blob of a multipart upload. */
const END_OF_PARTS = `coalesce((select max((number - 1) * part_size + size) from multipart_parts
  where upload_id = multipart_uploads.id and state = 'stored' and blob_id is null), 0)`;

function readCatalog(path: string) {
  const catalog = new Database(path, { readwrite: true });
  try {
    catalog.run("PRAGMA busy_timeout = 5000");
    catalog.run("PRAGMA query_only = ON");
    const files = catalog
      .query<BlobRow, []>(
        `select blob_id as blobId, size from files union all select blob_id, size from batch_members
        union all select blob_id, size from multipart_parts where blob_id is not null`,
      )
      .all();
    const growing = catalog
      .query<BlobRow, []>(
        `select blob_id as blobId, "offset" as size from uploads where state = 'open'
        union all select blob_id, ${END_OF_PARTS} from multipart_uploads
        where state <> 'finished' and blob_id is not null`,
      )
      .all();
    const expired = (["uploads", "batches", "multipart_uploads"] as const).map((kind) => ({
      kind,
      count: catalog
        .query<{ id: string }, [number]>(`select id from ${kind} where expires_at <= ?`)
        .all(Date.now()).length,
    }));
    const leases = catalog
      .query<{ block: number; owner: string }, []>("select block, owner from blob_leases")
      .all();
    const [condemned] = catalog
      .query<{ count: number }, []>("select count(*) as count from condemned")
      .all();
    const [removed] = catalog
      .query<{ count: number }, []>(
        "select count(*) as count from folders where substr(key, 1, 1) = char(1)",
      )
      .all();
    return {
      files,
      growing,
      expired,
      leases,
      condemned: condemned?.count ?? 0,
      removed: removed?.count ?? 0,
    };
  } finally {
    catalog.close();
  }
}

const blockName = (block: number): string => block.toString(16).padStart(11, "0");

function blobPath(blobId: number): string {
  const position = (blobId % BLOCK_SIZE).toString(16).padStart(2, "0");
  return `${blockName(Math.floor(blobId / BLOCK_SIZE))}/${position}`;
}
