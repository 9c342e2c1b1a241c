import { join } from "node:path";
import { blobId, blockOf, positionOf } from "../../domain/blob-id.ts";
import type { BlobId } from "../../domain/records.ts";

/*
 * Paths are `<root>/<block as 11 hex digits>/<position as 2 hex digits>`, and never contain user input.
 */

const BLOCK_NAME = /^[0-9a-f]{11}$/;
const BLOB_NAME = /^[0-9a-f]{2}$/;

/** The folder of a block. */
export function blockPath(root: string, block: number): string {
  return join(root, block.toString(16).padStart(11, "0"));
}

/** The file of a blob. */
export function blobPath(root: string, id: BlobId): string {
  return `${blockPath(root, blockOf(id))}/${positionOf(id).toString(16).padStart(2, "0")}`;
}

/** The block of a folder name; undefined: not a block's name. */
export function parseBlockName(name: string): number | undefined {
  return BLOCK_NAME.test(name) ? Number.parseInt(name, 16) : undefined;
}

/** The blob of a file name in the folder of `block`; undefined: not a blob's name. */
export function parseBlobName(block: number, name: string): BlobId | undefined {
  return BLOB_NAME.test(name) ? blobId(block, Number.parseInt(name, 16)) : undefined;
}
