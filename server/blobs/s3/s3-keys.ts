import type { BlobId } from "../../domain/records.ts";
import { blobPath, blockPath, parseBlobName, parseBlockName } from "../disk/disk-paths.ts";

/*
 * Keys are `blobs/<block>/<position>`: the same names as on disk, so both stores have the same places.
 */

const ROOT = "blobs";

/** Prefix of the keys of all blobs; Holdall writes nothing else under it. */
export const PREFIX = `${ROOT}/`;

export const blobKey = (id: BlobId): string => blobPath(ROOT, id);

/** Prefix of the keys of a block's blobs. */
export const blockPrefix = (block: number): string => `${blockPath(ROOT, block)}/`;

export const placeOfKey = (key: string): string => key.slice(PREFIX.length);
export const keyOfPlace = (place: string): string => `${PREFIX}${place}`;

/** The block of a key prefix; undefined: not a block's prefix. */
export function blockOfPrefix(prefix: string): number | undefined {
  return parseBlockName(prefix.slice(PREFIX.length).replace(/\/$/, ""));
}

/** The blob of a key; undefined: not a blob's key. */
export function blobOfKey(key: string): BlobId | undefined {
  const [block = "", position = "", ...more] = placeOfKey(key).split("/");
  const number = parseBlockName(block);
  if (number === undefined || more.length > 0) return undefined;
  return parseBlobName(number, position);
}

/** The longest text that all keys begin with. */
export function commonPrefix(keys: readonly string[]): string {
  let prefix = keys[0] ?? "";
  for (const key of keys) {
    while (!key.startsWith(prefix)) prefix = prefix.slice(0, -1);
  }
  return prefix;
}
