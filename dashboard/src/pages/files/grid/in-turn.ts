const AT_ONCE = 3;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs the work when it is its turn: a few at a time. What nobody wants any more is passed over. */
export async function inTurn<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  if (running >= AT_ONCE) {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }
  running += 1;
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}
