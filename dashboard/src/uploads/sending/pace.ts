const MINUTE_MS = 60_000;

/** Requests per minute for uploads, of the 300 that the API allows. */
export const MAX_REQUESTS_PER_MINUTE = 220;

/** Milliseconds to wait before the next request, given the start times of earlier ones. */
export function paceDelay(
  starts: readonly number[],
  now: number,
  max = MAX_REQUESTS_PER_MINUTE,
): number {
  const recent = starts.filter((at) => at > now - MINUTE_MS);
  if (recent.length < max) return 0;
  const oldest = recent[recent.length - max] ?? now;
  return oldest + MINUTE_MS - now;
}

/** The start times within the last minute. */
export const recentStarts = (starts: readonly number[], now: number): number[] =>
  starts.filter((at) => at > now - MINUTE_MS);
