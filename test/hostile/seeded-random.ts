/** Random choices that repeat for the same seed, so that every failure can be reproduced. */
export interface SeededRandom {
  /** An integer in [from, to). */
  int(from: number, to: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
}

/** Uses mulberry32: good enough for fuzzing, and never for secrets. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from));
  return {
    int,
    pick: (choices) => choices[int(0, choices.length)] ?? choices[0],
    chance: (probability) => next() < probability,
  };
}
