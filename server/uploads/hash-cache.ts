import type { UploadHash } from "../files/upload/threaded-hashes.ts";

/**
 * The SHA-256 of uploads between two requests of the same process. An upload whose hash is not here is
 * read again when it is complete.
 */
export interface HashCache {
  /** Removes the hash of the first `position` bytes; undefined: it is not here. */
  take(uploadId: string, position: number): UploadHash | undefined;
  /** `hash` covers the first `position` bytes; all of them are stored. */
  put(uploadId: string, position: number, hash: UploadHash): void;
  drop(uploadId: string): void;
  close(): void;
}

interface Entry {
  readonly hash: UploadHash;
  readonly position: number;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** A hash takes a few hundred bytes. */
const MAX_HASHES = 1000;
/** Reading an upload again is cheap compared to a pause like this. */
const KEPT_MS = 10 * 60 * 1000;

export function createHashCache(): HashCache {
  const entries = new Map<string, Entry>();

  function remove(uploadId: string): Entry | undefined {
    const entry = entries.get(uploadId);
    entries.delete(uploadId);
    clearTimeout(entry?.timer);
    return entry;
  }

  const drop = (uploadId: string): void => remove(uploadId)?.hash.drop();

  return {
    drop,
    take(uploadId, position) {
      const entry = remove(uploadId);
      if (entry?.position === position) return entry.hash;
      entry?.hash.drop();
      return undefined;
    },
    put(uploadId, position, hash) {
      drop(uploadId);
      const [oldest] = entries.keys();
      if (entries.size >= MAX_HASHES && oldest !== undefined) drop(oldest);
      const timer = setTimeout(() => drop(uploadId), KEPT_MS);
      timer.unref();
      entries.set(uploadId, { hash, position, timer });
      // The next request may begin before the last bytes are hashed.
      hash.pause().catch(() => {
        if (entries.get(uploadId)?.hash === hash) drop(uploadId);
      });
    },
    close() {
      for (const uploadId of [...entries.keys()]) drop(uploadId);
    },
  };
}
