/**
 * Does the work for every item, for so many at once, and draws the items only as fast as that. The
 * first failure ends it, once what is under way has ended.
 */
export async function inParallel<T>(
  items: AsyncIterator<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let hasFailed = false;
  let drawing: Promise<unknown> = Promise.resolve();

  /** One at a time: an iterator need not bear more. */
  function draw(): Promise<IteratorResult<T>> {
    const next = drawing.then(() => items.next());
    drawing = next.catch(() => {});
    return next;
  }

  async function worker(): Promise<void> {
    try {
      while (!hasFailed) {
        const { done, value } = await draw();
        if (done) return;
        await work(value);
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  }

  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const result of ended) if (result.status === "rejected") throw result.reason;
}
