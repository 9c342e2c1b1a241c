/** Dice that fall the same way for the same seed. */
export interface Dice {
  /** A whole number in [from, to). */
  between(from: number, to: number): number;
  oneOf<T>(choices: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
}

/** By mulberry32: even enough for mutations, and nothing else. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from));
  return {
    between,
    oneOf: (choices) => choices[between(0, choices.length)] ?? choices[0],
    chance: (probability) => next() < probability,
  };
}
