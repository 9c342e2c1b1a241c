/** Far more than a removal takes, so that its bytes are usually gone when the response arrives. */
const MAX_WAIT_MS = 250;

/**
 * Resolves when `removal` has ended, or after a moment: no response waits for a store that does not carry
 * it out. `removal` goes on, and never rejects.
 */
export async function waitBriefly(
  removal: Promise<unknown>,
  milliseconds = MAX_WAIT_MS,
): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, milliseconds);
  await Promise.race([removal, over.promise]);
  clearTimeout(timer);
}
