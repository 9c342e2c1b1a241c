const MINUTE = 60_000;

/** How many requests uploads may take of the 300 that the API allows each minute. */
export const MOST_A_MINUTE = 220;

/** Milliseconds to wait before another request, after those that began at these moments. */
export function paceDelay(starts: readonly number[], now: number, most = MOST_A_MINUTE): number {
  const recent = starts.filter((at) => at > now - MINUTE);
  if (recent.length < most) return 0;
  const oldest = recent[recent.length - most] ?? now;
  return oldest + MINUTE - now;
}

/** Those that still count. */
export const recentStarts = (starts: readonly number[], now: number): number[] =>
  starts.filter((at) => at > now - MINUTE);
