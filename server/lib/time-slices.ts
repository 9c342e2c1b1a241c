/**
 * Divides the event loop between long tasks and everything else. All tasks together run for one slice,
 * then the loop handles what has arrived, then the task that has waited longest gets the next slice.
 */
export interface TimeSlices {
  /**
   * To be called between short steps of a task. undefined: the slice lasts, so the task goes on.
   * Otherwise the promise resolves when the task's next slice starts.
   */
  next(): Promise<void> | undefined;
}

export interface TimeSlicesOptions {
  readonly sliceMs?: number;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** Short, since a request passes several turns of the loop, and so waits for several slices. */
const SLICE_MS = 3;

export function createTimeSlices({
  sliceMs = SLICE_MS,
  now = () => performance.now(),
}: TimeSlicesOptions = {}): TimeSlices {
  const waiting: (() => void)[] = [];
  let sliceEnd = Number.NEGATIVE_INFINITY;

  /** One task per turn: those behind it would run after the end of the slice. */
  function startSlice(): void {
    sliceEnd = now() + sliceMs;
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(startSlice);
  }

  return {
    next() {
      if (now() < sliceEnd) return undefined;
      return new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) setImmediate(startSlice);
      });
    },
  };
}

/** Shared by all long tasks of this thread, because they share its event loop. */
export const threadSlices: TimeSlices = createTimeSlices();

/**
 * To be awaited between the steps of a long task. Unlike `setImmediate`, with which all waiting tasks run
 * in one turn of the event loop, it delays everything else by one slice, however many tasks there are.
 */
export async function giveWay(): Promise<void> {
  await threadSlices.next();
}
