/** Something that is done to many things one after the other, while it runs. */
export interface Bulk {
  /** "Moving", "Deleting". */
  readonly doing: string;
  readonly done: number;
  readonly total: number;
  readonly stop: () => void;
}

let current: Bulk | undefined;
const listeners = new Set<() => void>();

function set(bulk: Bulk | undefined): void {
  current = bulk;
  for (const listener of listeners) listener();
}

export const currentBulk = (): Bulk | undefined => current;

export function onBulk(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export interface BulkResult {
  readonly done: number;
  /** Why the others were not, the first of them. */
  readonly failure: Error | undefined;
  readonly failed: number;
}

/** Does one after the other and goes on after failures; `step` answers how many it did. */
export async function runBulk<Item>(
  doing: string,
  items: readonly Item[],
  step: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<BulkResult> {
  const controller = new AbortController();
  let done = 0;
  let failed = 0;
  let failure: Error | undefined;
  const tell = () =>
    set({ doing, done: done + failed, total: items.length, stop: () => controller.abort() });
  tell();
  try {
    for (const item of items) {
      if (controller.signal.aborted) break;
      try {
        await step(item, controller.signal);
        done += 1;
      } catch (error) {
        if (controller.signal.aborted) break;
        failed += 1;
        failure ??= error instanceof Error ? error : new Error(String(error));
      }
      tell();
    }
    return { done, failed, failure };
  } finally {
    set(undefined);
  }
}
