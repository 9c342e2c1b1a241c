/** A whole number in [from, to). */
export function randomInt(from: number, to: number): number {
  return from + Math.floor(Math.random() * (to - from));
}

/** One of them, each as likely. */
export function pickOne<T>(choices: readonly [T, ...T[]]): T {
  return choices[randomInt(0, choices.length)] ?? choices[0];
}

/** One of them, or undefined where there is none. */
export function pickAny<T>(choices: readonly T[]): T | undefined {
  return choices[randomInt(0, choices.length)];
}

export function chance(probability: number): boolean {
  return Math.random() < probability;
}
