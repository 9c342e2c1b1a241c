export const MAX_COUNT = 255;
/** This many halvings turn `MAX_COUNT` into 0. */
const HALVINGS_TO_ZERO = 8;

/** Counts uses of any number of keys in fixed memory. A count may be too high, rarely, but not too low. */
export interface CountMinSketch {
  /** Counts a use of the key with this hash (32 bits). Returns the count, at most MAX_COUNT. */
  add(hash: number): number;
  count(hash: number): number;
  /** Halves all counts. */
  halve(): void;
  clear(): void;
}

/**
 * Cormode and Muthukrishnan, "An Improved Data Stream Summary: The Count-Min Sketch and its Applications"
 * (2005), with two rows of `width` counters and conservative update. `width` is a power of two: with as
 * many keys between two halvings as an eighth of it, about one count in fifty is too high.
 */
export function createCountMinSketch(width: number): CountMinSketch {
  const first = new Uint8Array(width);
  const second = new Uint8Array(width);
  /** Both rows, four counters at once. */
  const words = [new Uint32Array(first.buffer), new Uint32Array(second.buffer)];
  const mask = width - 1;
  /** Halvings until all counts are 0. */
  let halvingsLeft = 0;

  const inFirst = (hash: number): number => hash & mask;
  /** Other bits of the same hash: the high ones of a product (Knuth's multiplicative hashing). */
  const inSecond = (hash: number): number => (Math.imul(hash, 0x9e3779b1) >>> 12) & mask;

  const count = (hash: number): number =>
    Math.min(first[inFirst(hash)] ?? 0, second[inSecond(hash)] ?? 0);

  return {
    count,
    add(hash) {
      halvingsLeft = HALVINGS_TO_ZERO;
      const added = Math.min(count(hash) + 1, MAX_COUNT);
      raise(first, inFirst(hash), added);
      raise(second, inSecond(hash), added);
      return added;
    },
    halve() {
      if (halvingsLeft === 0) return;
      halvingsLeft -= 1;
      for (const row of words) halveBytes(row);
    },
    clear() {
      halvingsLeft = 0;
      first.fill(0);
      second.fill(0);
    },
  };
}

function raise(row: Uint8Array, at: number, count: number): void {
  if ((row[at] ?? 0) < count) row[at] = count;
}

/** Halves each of the four bytes of each word. */
function halveBytes(words: Uint32Array): void {
  for (let at = 0; at < words.length; at += 1) words[at] = ((words[at] ?? 0) >>> 1) & 0x7f7f7f7f;
}
