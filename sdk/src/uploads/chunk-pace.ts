import { isStatus } from "../connection/error.ts";

/** Whether the request is too long for a proxy: Holdall's own refusals have a code. */
export const isTooLongForProxy = (error: unknown): boolean => isStatus(error, 413) && !error.code;

/** The size of the next chunk of an upload. */
export interface ChunkPace {
  size(): number;
  /** A chunk was stored. */
  stored(milliseconds: number): void;
  /** A chunk was interrupted. */
  interrupted(): void;
  /** A proxy takes no requests as long as a chunk of this length. False: chunks are as small as they get. */
  tooLong(length: number): boolean;
}

const FIRST_BYTES = 8 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
const MIN_BYTES = 64 * 1024;
const FAST_MS = 2_000;

/**
 * Begins with 8 MiB and doubles it while chunks take less than two seconds, so that fast connections do
 * not reach the server's limit of requests per minute. Proxies that limit requests to 100 MB, such as
 * Cloudflare, pass the largest. `fixed` is a size that stays, unless a proxy takes less.
 */
export function createChunkPace(fixed: number | undefined): ChunkPace {
  let max = fixed ?? MAX_BYTES;
  let size = fixed ?? FIRST_BYTES;
  return {
    size: () => size,
    stored(milliseconds) {
      if (!fixed && milliseconds < FAST_MS) size = Math.min(max, 2 * size);
    },
    interrupted() {
      size = Math.min(max, fixed ?? FIRST_BYTES);
    },
    tooLong(length) {
      if (length <= MIN_BYTES) return false;
      max = Math.max(MIN_BYTES, Math.ceil(length / 2));
      size = Math.min(size, max);
      return true;
    },
  };
}
