import { blockOf } from "../../rules/blob-id.ts";
import type { BlobId } from "../../rules/records.ts";
import type { BlobCopies, Blobs } from "../port.ts";
import { createS3Client } from "./s3-client.ts";
import { s3Fault } from "./s3-error.ts";
import { blobOfKey, blockPrefix } from "./s3-keys.ts";
import { createS3Objects } from "./s3-objects.ts";
import type { S3Settings } from "./s3-settings.ts";

/** Copies come block by block, some blocks side by side. */
const MOST_BLOCKS = 64;

/**
 * Copies into a store on S3, where an object replaces what is there as a whole and is safe once it
 * is written, so that nothing is left to be put in place. What an earlier try has left of a block is
 * looked at once: what came in parts and was interrupted is ended then.
 */
export function createS3Copies(settings: S3Settings, blobs: Blobs): BlobCopies {
  const objects = createS3Objects(createS3Client(settings));
  const listed = new Map<number, Promise<ReadonlyMap<BlobId, number>>>();

  async function list(block: number): Promise<ReadonlyMap<BlobId, number>> {
    const sizes = new Map<BlobId, number>();
    await blobs.settleBlock(block);
    try {
      for await (const [key, size] of objects.sizes(blockPrefix(block))) {
        const id = blobOfKey(key);
        if (id !== undefined) sizes.set(id, size);
      }
    } catch (error) {
      throw s3Fault(error);
    }
    return sizes;
  }

  function thereOf(block: number): Promise<ReadonlyMap<BlobId, number>> {
    const known = listed.get(block);
    if (known !== undefined) return known;
    const found = list(block);
    found.catch(() => listed.delete(block));
    listed.set(block, found);
    const [oldest] = listed.keys();
    if (listed.size > MOST_BLOCKS && oldest !== undefined) listed.delete(oldest);
    return found;
  }

  return {
    has: async (id, size) => (await thereOf(blockOf(id))).get(id) === size,
    async create(id) {
      if ((await thereOf(blockOf(id))).has(id)) await blobs.remove([id]);
      return blobs.create(id);
    },
    place: async () => {},
    settle: async () => {},
    close: async () => {},
  };
}
