/** Joins small chunks to larger ones. */
export interface ChunkJoiner {
  /** Copies small chunks. Returns the chunks that are complete now, in order. */
  add(bytes: Uint8Array): readonly Uint8Array[];
  /** The rest. */
  end(): readonly Uint8Array[];
}

/** Chunks of `size` bytes or more are passed on without being copied. */
export function createChunkJoiner(size: number): ChunkJoiner {
  let chunk: Uint8Array | undefined;
  let used = 0;

  function end(): readonly Uint8Array[] {
    if (chunk === undefined) return NONE;
    const joined = chunk.subarray(0, used);
    // The consumer keeps it, so the next one needs memory of its own.
    chunk = undefined;
    used = 0;
    return [joined];
  }

  return {
    end,
    add(bytes) {
      if (bytes.length >= size) return [...end(), bytes];
      const complete = used + bytes.length > size ? end() : NONE;
      chunk ??= new Uint8Array(size);
      chunk.set(bytes, used);
      used += bytes.length;
      return complete;
    },
  };
}

const NONE: readonly Uint8Array[] = [];
