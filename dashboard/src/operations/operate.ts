import { createLeaveGuard } from "../app/navigation/leave-guard.ts";
import { showErrorToast, showToast } from "../components/toast-store.ts";
import {
  changeOperation,
  isStoppable,
  type Operation,
  type Outcome,
  operations,
} from "./operations.ts";
import { type BulkResult, runSteps } from "./run-steps.ts";

/** Operations that take longer have a line in the panel. */
const SHOW_AFTER_MS = 1_000;

export interface RunOptions<Item> {
  /** How many items of the user an item is. Default: one. */
  readonly sizeOf?: (item: Item) => number;
  /** How many steps run at once. Default: one. */
  readonly atOnce?: number;
  /** Whether stopping aborts the step that runs. Default: it only keeps the next ones from starting. */
  readonly isAborted?: boolean;
}

/** The functions that an operation calls while it works. */
export interface Work {
  /**
   * Runs the step for each item in order, as `runSteps` does, and shows the progress, which continues from
   * earlier runs.
   */
  run<Item>(
    items: readonly Item[],
    step: (item: Item, signal: AbortSignal) => Promise<void>,
    options?: RunOptions<Item>,
  ): Promise<BulkResult>;
  /** Subtracts this number of items from the progress, because they run again. */
  runAgain(items: number): void;
  /** Shows that the operation waits for the user's answer. */
  whileAsking<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
  /** Aborted when the user stops the operation. */
  readonly signal: AbortSignal;
}

let lastId = 0;
let lastEnd = 0;

/**
 * Runs an operation, which continues on every page, beside others. If it takes long, the panel shows its
 * progress and its outcome; otherwise toasts say what it did. Never rejects: an error is the outcome.
 */
export async function operate(
  title: string,
  work: (work: Work) => Promise<Outcome>,
): Promise<void> {
  lastId += 1;
  const id = lastId;
  const stopping = new AbortController();
  const { signal } = stopping;
  const change = (part: Partial<Operation>) => changeOperation(id, part);
  const stop = () => {
    stopping.abort();
    change({ isStopped: true });
  };
  operations.set([
    ...operations.get(),
    {
      id,
      title,
      stop,
      done: 0,
      total: 0,
      waitingMessage: undefined,
      isShown: false,
      mayStop: true,
      isStopped: false,
      outcome: undefined,
    },
  ]);
  const showLater = () => setTimeout(() => change({ isShown: true }), SHOW_AFTER_MS);
  let timer = showLater();
  let done = 0;
  let total = 0;
  const outcome = await work({
    signal,
    async run(items, step, { sizeOf = () => 1, atOnce, isAborted = false } = {}) {
      const before = done;
      change({ mayStop: items.length > 1 || isAborted });
      return runSteps(items, step, {
        sizeOf,
        atOnce,
        signal,
        onProgress(progress) {
          done = before + progress.done;
          total = Math.max(total, before + progress.total);
          change({ ...progress, done, total });
        },
      });
    },
    runAgain(items) {
      done -= items;
      change({ done });
    },
    async whileAsking(ask) {
      // The question is seen without a line in the panel.
      clearTimeout(timer);
      change({ waitingMessage: "Waiting for your answer." });
      try {
        return await ask();
      } finally {
        change({ waitingMessage: undefined });
        timer = showLater();
      }
    },
  }).catch((error: unknown) => ({
    failure: error instanceof Error ? error : new Error(String(error)),
  }));
  clearTimeout(timer);
  end(id, outcome);
}

function end(id: number, outcome: Outcome): void {
  const { text, undo, failure } = outcome;
  if (operations.get().find((each) => each.id === id)?.isShown) {
    lastEnd += 1;
    changeOperation(id, { outcome, endOrder: lastEnd });
    return;
  }
  remove((each) => each.id === id);
  if (failure !== undefined) showErrorToast(failure);
  if (text === undefined) return;
  showToast(text, undo && { label: "Undo", undoes: true, run: undo });
}

/** Undoes what a line of the panel says, and removes the line. */
export function undoOperation(id: number): void {
  const operation = operations.get().find((each) => each.id === id);
  remove((each) => each.id === id);
  operation?.outcome?.undo?.();
}

/** Stops all operations of the panel that can be stopped. */
export function stopOperations(): void {
  for (const operation of operations.get()) {
    if (operation.isShown && isStoppable(operation)) operation.stop();
  }
}

/** Removes the lines of all operations that have ended. */
export const clearEnded = (): void => remove(({ outcome }) => outcome !== undefined);

const remove = (matches: (operation: Operation) => boolean): void =>
  operations.set(operations.get().filter((operation) => !matches(operation)));

const guardLeaving = createLeaveGuard();
operations.subscribe(() =>
  guardLeaving(operations.get().some(({ isShown, outcome }) => isShown && outcome === undefined)),
);
