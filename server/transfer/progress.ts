/** How far a transfer is. Whoever transfers counts it up; whoever shows it looks now and then. */
export interface Progress {
  files: number;
  bytes: number;
  /** What it will come to; null while that is not known. */
  total: { readonly files: number; readonly bytes: number } | null;
}

export function createProgress(): Progress {
  return { files: 0, bytes: 0, total: null };
}

/** What a transfer could not carry, and why: the end of a sentence that begins with the key. */
export type OnProblem = (key: string, problem: string) => void;
