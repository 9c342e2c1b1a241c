/** What the operator of an instance should know, as `doctor` prints it. */
export interface Advice {
  /** "error": unsafe or broken in any case. "warning": it may be intended. */
  readonly severity: "error" | "warning";
  /** One sentence. */
  readonly problem: string;
  /** What to do about it, in one sentence. */
  readonly remedy: string;
}

export const error = (problem: string, remedy: string): Advice => ({
  severity: "error",
  problem,
  remedy,
});

export const warning = (problem: string, remedy: string): Advice => ({
  severity: "warning",
  problem,
  remedy,
});
