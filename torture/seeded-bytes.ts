/** Reproducible pseudo-random bytes, different for each seed and size. */
export function seededBytes(seed: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = (seed * 2_654_435_761 + size) >>> 0 || 1;
  for (let at = 0; at < size; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state;
  }
  return bytes;
}
