/**
 * Runs `act` for 0, 1, …, `count` - 1, at most `concurrency` at a time; resolves when all are done.
 */
export async function inParallel(
  count: number,
  concurrency: number,
  act: (at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const mine = next;
      next += 1;
      await act(mine);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker));
}
