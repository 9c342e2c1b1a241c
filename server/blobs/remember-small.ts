import { chain } from "../rules/maybe-promise.ts";
import { createRecent } from "../rules/recent.ts";
import type { BlobId } from "../rules/records.ts";
import type { Blobs } from "./port.ts";

/** Blobs of up to this many bytes are read at once rather than handed over as a file or a stream. */
export const SMALL = 64 * 1024;

/** What a blob takes beside its bytes, estimated. */
const OVERHEAD = 300;
/** How many blobs are known to have been asked for. */
const KNOWN = 16 * 1024;

/**
 * A store that keeps up to `most` bytes of the small blobs that were read twice lately: a blob never
 * changes, and its id is never used again. What is read once, by whoever goes through everything,
 * leaves what is wanted often where it is.
 */
export function rememberSmall<Store extends Blobs>(store: Store, most: number): Store {
  const recent = createRecent<BlobId, Blob>(most);
  const asked = createRecent<BlobId, true>(KNOWN);

  return {
    ...store,

    read(id, size, slice) {
      if (size > SMALL) return store.read(id, size, slice);
      const kept = recent.get(id);
      if (kept !== undefined && kept.size !== size) return undefined;
      return chain(kept ?? store.read(id, size), (body) => {
        if (!(body instanceof Blob)) return body;
        if (kept === undefined) {
          if (asked.get(id) === undefined) asked.set(id, true, 1);
          else recent.set(id, body, size + OVERHEAD);
        }
        return slice === undefined ? body : body.slice(slice.start, slice.end);
      });
    },

    async remove(ids) {
      for (const id of ids) recent.delete(id);
      await store.remove(ids);
    },
  };
}
