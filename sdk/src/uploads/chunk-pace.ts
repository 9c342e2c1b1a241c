/** The size of the next chunk of an upload. */
export interface ChunkPace {
  size(): number;
  /** A chunk was stored. */
  stored(milliseconds: number): void;
  /** A chunk was interrupted. */
  interrupted(): void;
}

const FIRST_BYTES = 8 * 1024 * 1024;
const MAX_BYTES = 256 * 1024 * 1024;
const FAST_MS = 2_000;

/**
 * Begins with 8 MiB and doubles it while chunks take less than two seconds, so that fast connections do
 * not reach the server's limit of requests per minute. `fixed` is a size that stays.
 */
export function createChunkPace(fixed: number | undefined): ChunkPace {
  let size = fixed ?? FIRST_BYTES;
  return {
    size: () => size,
    stored(milliseconds) {
      if (fixed === undefined && milliseconds < FAST_MS) size = Math.min(MAX_BYTES, 2 * size);
    },
    interrupted() {
      size = fixed ?? FIRST_BYTES;
    },
  };
}
