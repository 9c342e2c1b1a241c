/** Resolves after this many milliseconds. */
export const sleep = (ms: number): Promise<void> => Bun.sleep(ms);
