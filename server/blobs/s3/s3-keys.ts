import type { BlobId } from "../../rules/records.ts";
import { blobNamed, blobPath, blockNamed, blockPath } from "../disk/disk-paths.ts";

/*
 * `blobs/<block>/<position>`: the same names as on disk, so that a place is the same in both.
 */

const ROOT = "blobs";

/** What the keys of all blobs begin with, and of nothing else of ours. */
export const PREFIX = `${ROOT}/`;

export const blobKey = (id: BlobId): string => blobPath(ROOT, id);

/** What the keys of a block's blobs begin with. */
export const blockPrefix = (block: number): string => `${blockPath(ROOT, block)}/`;

export const placeOfKey = (key: string): string => key.slice(PREFIX.length);
export const keyOfPlace = (place: string): string => `${PREFIX}${place}`;

/** The block that a prefix of keys is of, or undefined when it is none of ours. */
export function blockOfPrefix(prefix: string): number | undefined {
  return blockNamed(prefix.slice(PREFIX.length).replace(/\/$/, ""));
}

/** The blob of a key, or undefined when the key is none of ours. */
export function blobOfKey(key: string): BlobId | undefined {
  const [block = "", position = "", ...more] = placeOfKey(key).split("/");
  const number = blockNamed(block);
  if (number === undefined || more.length > 0) return undefined;
  return blobNamed(number, position);
}
