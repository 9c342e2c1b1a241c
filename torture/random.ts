/** A random integer in [from, to). */
export function randomInt(from: number, to: number): number {
  return from + Math.floor(Math.random() * (to - from));
}

/** A random choice. */
export function pickOne<T>(choices: readonly [T, ...T[]]): T {
  return choices[randomInt(0, choices.length)] ?? choices[0];
}

/** A random choice; undefined if there are none. */
export function pickAny<T>(choices: readonly T[]): T | undefined {
  return choices[randomInt(0, choices.length)];
}

export function chance(probability: number): boolean {
  return Math.random() < probability;
}
