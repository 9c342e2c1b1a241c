/** The progress of a transfer, which updates it in place; a display reads it periodically. */
export interface Progress {
  files: number;
  bytes: number;
  /** The name of the current step, which `files` and `bytes` refer to. null: the only step. */
  step: string | null;
  /** The start of the step, in milliseconds of `performance.now()`. */
  startedAt: number;
  /** The expected totals of the step; null: unknown. */
  total: { readonly files: number; readonly bytes: number } | null;
}

export function createProgress(): Progress {
  return { step: null, startedAt: performance.now(), files: 0, bytes: 0, total: null };
}

/** Starts another step. */
export function startStep(progress: Progress, step: string, total: Progress["total"]): void {
  Object.assign(progress, { step, startedAt: performance.now(), files: 0, bytes: 0, total });
}

/** How a transfer reports to its caller. */
export interface TransferReport {
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

/** Reports what could not be transferred, and why: the end of a sentence that begins with the key. */
export type OnProblem = (key: string, problem: string) => void;
