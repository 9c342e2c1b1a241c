/**
 * Retries once if the process was not killed: threads share the work differently each time, so the
 * call may not have been made.
 */
export async function retryMissedKill<Result extends { readonly wasHit: boolean }>(
  tryOnce: () => Promise<Result>,
): Promise<Result> {
  const first = await tryOnce();
  return first.wasHit ? first : await tryOnce();
}
