import type { BlobCopies, Blobs } from "../port.ts";

/**
 * Copies into a store on S3, where an object replaces what is there as a whole and is safe once it
 * is written, so that nothing is left to be put in place.
 */
export function createS3Copies(
  blobs: Blobs,
  sizeOf: (id: Parameters<Blobs["create"]>[0]) => Promise<number | undefined>,
): BlobCopies {
  const touched = new Set<number>();
  return {
    has: async (id, size) => (await sizeOf(id)) === size,
    async create(id) {
      await blobs.remove([id]);
      return blobs.create(id);
    },
    place: async () => {},
    async settle(block) {
      touched.add(block);
    },
    async close() {
      // What an interrupted copy has begun in parts.
      for (const block of touched) await blobs.settleBlock(block);
    },
  };
}
