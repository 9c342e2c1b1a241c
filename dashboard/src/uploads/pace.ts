const MINUTE = 60_000;

/** Requests per minute for uploads, of the 300 that the API allows. */
export const MOST_A_MINUTE = 220;

/** Milliseconds to wait before the next request, given the start times of earlier ones. */
export function paceDelay(starts: readonly number[], now: number, most = MOST_A_MINUTE): number {
  const recent = starts.filter((at) => at > now - MINUTE);
  if (recent.length < most) return 0;
  const oldest = recent[recent.length - most] ?? now;
  return oldest + MINUTE - now;
}

/** The start times within the last minute. */
export const recentStarts = (starts: readonly number[], now: number): number[] =>
  starts.filter((at) => at > now - MINUTE);
