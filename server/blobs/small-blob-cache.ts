import { chain } from "../rules/maybe-promise.ts";
import type { BlobId } from "../rules/records.ts";
import { createTwoGenerationCache } from "../rules/two-generation-cache.ts";
import type { Blobs } from "./port.ts";

/** Blobs of up to this many bytes are read into memory rather than sent from a file or a stream. */
export const MAX_SMALL_BYTES = 64 * 1024;

/** Estimated memory of an entry, apart from its bytes. */
const OVERHEAD = 300;
/** Ids of blobs that were read once. */
const MAX_READ_ONCE = 16 * 1024;

/**
 * Adds a cache of up to `maxBytes` to a store. Only removals invalidate entries: a blob never
 * changes, and its id is never reused. A blob enters the cache on its second read, so that one pass
 * over all files does not evict those that are read often.
 */
export function withSmallBlobCache<Store extends Blobs>(store: Store, maxBytes: number): Store {
  const cache = createTwoGenerationCache<BlobId, Blob>(maxBytes);
  const readOnce = createTwoGenerationCache<BlobId, true>(MAX_READ_ONCE);

  return {
    ...store,

    read(id, size, slice) {
      if (size > MAX_SMALL_BYTES) return store.read(id, size, slice);
      const cached = cache.get(id);
      if (cached !== undefined && cached.size !== size) return undefined;
      return chain(cached ?? store.read(id, size), (body) => {
        if (!(body instanceof Blob)) return body;
        if (cached === undefined) {
          if (readOnce.get(id) === undefined) readOnce.set(id, true, 1);
          else cache.set(id, body, size + OVERHEAD);
        }
        return slice === undefined ? body : body.slice(slice.start, slice.end);
      });
    },

    async remove(ids) {
      for (const id of ids) cache.delete(id);
      await store.remove(ids);
    },

    async removeGrowing(ids) {
      for (const id of ids) cache.delete(id);
      await store.removeGrowing(ids);
    },
  };
}
