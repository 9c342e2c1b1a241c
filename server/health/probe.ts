/**
 * Whether a part of the server responds in time: undefined, or a sentence with the problem.
 * Never throws.
 */
export async function probe(
  name: string,
  ping: () => Promise<void>,
  timeoutMs: number,
): Promise<string | undefined> {
  const timeout = Promise.withResolvers<"timeout">();
  const timer = setTimeout(() => timeout.resolve("timeout"), timeoutMs);
  const outcome = await Promise.race([
    ping().then(
      () => "ok",
      () => "failed",
    ),
    timeout.promise,
  ]);
  clearTimeout(timer);
  if (outcome === "ok") return undefined;
  return outcome === "timeout"
    ? `the ${name} has not responded for ${timeoutMs / 1000} seconds.`
    : `the ${name} cannot be used; the log says why.`;
}
