import { blockOf } from "../../domain/blob-id.ts";
import type { BlobId } from "../../domain/records.ts";
import { createTwoGenerationCache } from "../../lib/two-generation-cache.ts";
import type { BlobCopies, Blobs } from "../port.ts";
import { createS3Client } from "./s3-client.ts";
import { s3Fault } from "./s3-error.ts";
import { blobOfKey, blockPrefix } from "./s3-keys.ts";
import { createS3Objects } from "./s3-objects.ts";
import type { S3Settings } from "./s3-settings.ts";

/** The caller copies block by block, a few blocks at a time. */
const MAX_BLOCKS = 128;
/** An instance that is being filled has no growing blobs. */
const NONE: ReadonlySet<BlobId> = new Set();

/**
 * Stores copies in a bucket. A PUT replaces an object atomically and durably, so `place` has nothing to
 * do. Lists each block once, to find the copies of an earlier attempt, and aborts its interrupted
 * multipart uploads.
 */
export function createS3Copies(settings: S3Settings, blobs: Blobs): BlobCopies {
  const objects = createS3Objects(createS3Client(settings));
  const listings = createTwoGenerationCache<number, Promise<ReadonlyMap<BlobId, number>>>(
    MAX_BLOCKS,
  );

  async function list(block: number): Promise<ReadonlyMap<BlobId, number>> {
    const sizes = new Map<BlobId, number>();
    await blobs.flushBlock(block, NONE);
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

  function listedOnce(block: number): Promise<ReadonlyMap<BlobId, number>> {
    const cached = listings.get(block);
    if (cached !== undefined) return cached;
    const listing = list(block);
    listing.catch(() => listings.delete(block));
    listings.set(block, listing, 1);
    return listing;
  }

  return {
    has: async (id, size) => (await listedOnce(blockOf(id))).get(id) === size,
    async create(id) {
      if ((await listedOnce(blockOf(id))).has(id)) await blobs.remove([id]);
      return blobs.create(id);
    },
    place: async () => {},
    flushBlock: async () => {},
    close: async () => {},
  };
}
