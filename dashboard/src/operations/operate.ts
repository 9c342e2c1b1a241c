import { createLeaveGuard } from "../app/leave-guard.ts";
import { showErrorToast, showToast } from "../components/toast-store.ts";
import { addUndo, removeUndo } from "../components/undo-store.ts";
import { changeOperation, type Operation, type Outcome, operations } from "./operations.ts";
import { type BulkResult, runSteps } from "./run-steps.ts";

/** Operations that take longer have a line in the panel. */
const SHOW_AFTER_MS = 1_000;

/** What an operation calls while it works. */
export interface Work {
  /**
   * Runs the step for each item in order, as `runSteps` does, and shows the progress. `sizeOf` is how many
   * items of the user an item is; default: one.
   */
  run<Item>(
    items: readonly Item[],
    step: (item: Item, signal: AbortSignal) => Promise<void>,
    sizeOf?: (item: Item) => number,
  ): Promise<BulkResult>;
  /** Shows that the operation waits for the user's answer. */
  whileAsking<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
  /** Aborted when the user stops the operation. */
  readonly signal: AbortSignal;
}

let lastId = 0;

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
      ...{ id, title, stop, done: 0, total: 0, waitingMessage: undefined },
      ...{ isShown: false, isStopped: false, outcome: undefined },
    },
  ]);
  const outcome = await work({
    signal,
    async run(items, step, sizeOf = () => 1) {
      const timer = setTimeout(() => change({ isShown: true }), SHOW_AFTER_MS);
      try {
        return await runSteps(items, step, { sizeOf, signal, onProgress: change });
      } finally {
        clearTimeout(timer);
      }
    },
    async whileAsking(ask) {
      change({ waitingMessage: "Waiting for your answer." });
      try {
        return await ask();
      } finally {
        change({ waitingMessage: undefined });
      }
    },
  }).catch((error: unknown) => ({
    failure: error instanceof Error ? error : new Error(String(error)),
  }));
  end(id, outcome);
}

function end(id: number, outcome: Outcome): void {
  const { text, undo, failure } = outcome;
  if (operations.get().find((each) => each.id === id)?.isShown) {
    changeOperation(id, { outcome });
    if (undo !== undefined) addUndo(undoId(id), () => undoOperation(id));
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

/** Stops all operations of the panel. */
export function stopOperations(): void {
  for (const { isShown, outcome, stop } of operations.get()) {
    if (isShown && outcome === undefined) stop();
  }
}

/** Removes the lines of all operations that have ended. */
export const clearEnded = (): void => remove(({ outcome }) => outcome !== undefined);

function remove(matches: (operation: Operation) => boolean): void {
  for (const operation of operations.get())
    if (matches(operation)) removeUndo(undoId(operation.id));
  operations.set(operations.get().filter((operation) => !matches(operation)));
}

const undoId = (id: number): string => `operation ${id}`;

const guardLeaving = createLeaveGuard();
operations.subscribe(() =>
  guardLeaving(operations.get().some(({ isShown, outcome }) => isShown && outcome === undefined)),
);
