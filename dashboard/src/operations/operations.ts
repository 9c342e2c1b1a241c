import { createStore } from "../app/store.ts";

/** The result of an operation. */
export interface Outcome {
  /** undefined: nothing was changed. */
  readonly text?: string | undefined;
  /** undefined: it cannot be undone. */
  readonly undo?: (() => void) | undefined;
  /** Why not everything was changed. */
  readonly failure?: Error | undefined;
}

/** A change of many files and folders. */
export interface Operation {
  readonly id: number;
  /** Its title, such as "Moving 3 items to “Photos”". */
  readonly title: string;
  /** Items, of those that it changes now. */
  readonly done: number;
  readonly total: number;
  /** Why it waits, for display; undefined while it is working. */
  readonly waitingMessage: string | undefined;
  /** When it continues, in milliseconds since 1970; undefined: unknown, or it does not wait. */
  readonly continuesAt?: number | undefined;
  /** Whether the panel shows it. Most operations are too short for that. */
  readonly isShown: boolean;
  /** Whether stopping it has an effect also while it does not wait: not on a single request, which the server completes. */
  readonly mayStop: boolean;
  readonly isStopped: boolean;
  readonly stop: () => void;
  /** undefined while it runs. */
  readonly outcome: Outcome | undefined;
  /** Its place in the order in which operations have ended, from 1; undefined while it runs. */
  readonly endOrder?: number | undefined;
}

/** The operations that run or that the panel shows, in the order in which they began. */
export const operations = createStore<readonly Operation[]>([]);

/** Whether the user can stop it now. */
export const isStoppable = ({ outcome, mayStop, waitingMessage }: Operation): boolean =>
  outcome === undefined && (mayStop || waitingMessage !== undefined);

export function changeOperation(id: number, change: Partial<Operation>): void {
  operations.set(operations.get().map((each) => (each.id === id ? { ...each, ...change } : each)));
}
