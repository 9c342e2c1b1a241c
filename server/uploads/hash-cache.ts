import type { UploadHash } from "../files/upload/threaded-hashes.ts";
import { createKeptBriefly } from "./kept-briefly.ts";

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

/** A hash takes a few hundred bytes. */
const MAX_HASHES = 1000;
/** Reading an upload again is cheap compared to a pause like this. */
const KEPT_MS = 10 * 60 * 1000;

export function createHashCache(): HashCache {
  const kept = createKeptBriefly<UploadHash>({
    maxUploads: MAX_HASHES,
    keptMs: KEPT_MS,
    end: (hash) => hash.drop(),
  });
  return {
    take: kept.take,
    drop: (uploadId) => void kept.drop(uploadId),
    put(uploadId, position, hash) {
      kept.keep(uploadId, position, hash);
      // The next request may begin before the last bytes are hashed.
      hash.pause().catch(() => kept.drop(uploadId, hash));
    },
    close: () => void kept.close(),
  };
}
