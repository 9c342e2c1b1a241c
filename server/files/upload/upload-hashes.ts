import { createContentHash } from "./content-hash.ts";
import { createThreadedHashes, type StoreBytes, type UploadHash } from "./threaded-hashes.ts";

/** Hashes the contents of uploads: small ones at once, large ones on a thread of their own. */
export interface UploadHashes {
  /** The hash of a content of at most `maxBytes`. Default: of any length. */
  create(maxBytes?: number): UploadHash;
  /** Contents that are being hashed fail. */
  close(): void;
}

/** Hashing this much takes about as long as the requests to the thread. */
const SMALL_BYTES = 256 * 1024;

/** Hashes and stores at once, so it copies nothing. */
function createSmall(): UploadHash {
  const { update, end } = createContentHash();
  return {
    update(chunk, store) {
      update(chunk);
      return store?.(chunk);
    },
    flush: () => {},
    end,
    pause: async () => {},
    drop: () => {},
  };
}

export function createUploadHashes(): UploadHashes {
  const threaded = createThreadedHashes();

  function createAny(): UploadHash {
    const small: Uint8Array[] = [];
    let bytes = 0;
    let large: UploadHash | undefined;

    async function moveToThread(chunk: Uint8Array, store?: StoreBytes): Promise<void> {
      large = threaded.create();
      // These are stored already.
      for (const each of small.splice(0)) await large.update(each);
      await large.flush();
      await large.update(chunk, store);
    }

    return {
      update(chunk, store) {
        if (large !== undefined) return large.update(chunk, store);
        bytes += chunk.byteLength;
        if (bytes > SMALL_BYTES) return moveToThread(chunk, store);
        small.push(new Uint8Array(chunk));
        return store?.(chunk);
      },
      flush: () => large?.flush(),
      end() {
        if (large !== undefined) return large.end();
        const hash = createContentHash();
        for (const chunk of small) hash.update(chunk);
        return hash.end();
      },
      async pause() {
        if (bytes === 0) return;
        if (large === undefined) await moveToThread(new Uint8Array());
        await large?.pause();
      },
      drop: () => large?.drop(),
    };
  }

  return {
    create: (maxBytes = Number.POSITIVE_INFINITY) =>
      maxBytes <= SMALL_BYTES ? createSmall() : createAny(),
    close: threaded.close,
  };
}
