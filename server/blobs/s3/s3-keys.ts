import type { BlobId } from "../../rules/records.ts";
import { blobPath, blockPath, parseBlobName, parseBlockName } from "../disk/disk-paths.ts";

/*
 * `blobs/<block>/<position>`: the same names as on disk, so that places are the same in both.
 */

const ROOT = "blobs";

/** Prefix of the keys of all blobs, and of nothing else that Holdall writes. */
export const PREFIX = `${ROOT}/`;

export const blobKey = (id: BlobId): string => blobPath(ROOT, id);

/** Prefix of the keys of a block's blobs. */
export const blockPrefix = (block: number): string => `${blockPath(ROOT, block)}/`;

export const placeOfKey = (key: string): string => key.slice(PREFIX.length);
export const keyOfPlace = (place: string): string => `${PREFIX}${place}`;

/** The block of a key prefix; undefined when it is not a block's. */
export function blockOfPrefix(prefix: string): number | undefined {
  return parseBlockName(prefix.slice(PREFIX.length).replace(/\/$/, ""));
}

/** The blob of a key; undefined when it is not a blob's. */
export function blobOfKey(key: string): BlobId | undefined {
  const [block = "", position = "", ...more] = placeOfKey(key).split("/");
  const number = parseBlockName(block);
  if (number === undefined || more.length > 0) return undefined;
  return parseBlobName(number, position);
}
