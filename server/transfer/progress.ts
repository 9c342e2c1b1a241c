/** How far a transfer is. Whoever transfers counts it up; whoever shows it looks now and then. */
export interface Progress {
  files: number;
  bytes: number;
  /** What is done just now, where that is not the whole of it; files and bytes are of this step. */
  step: string | null;
  /** When it, or the whole, has begun, in milliseconds of `performance.now()`. */
  since: number;
  /** What it will come to; null while that is not known. */
  total: { readonly files: number; readonly bytes: number } | null;
}

export function createProgress(): Progress {
  return { step: null, since: performance.now(), files: 0, bytes: 0, total: null };
}

/** Another step begins. `total`: what it will come to; null while that is not known. */
export function beginStep(progress: Progress, step: string, total: Progress["total"]): void {
  Object.assign(progress, { step, since: performance.now(), files: 0, bytes: 0, total });
}

/** How a transfer reports to its caller. */
export interface TransferReport {
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

/** What a transfer could not carry, and why: the end of a sentence that begins with the key. */
export type OnProblem = (key: string, problem: string) => void;
