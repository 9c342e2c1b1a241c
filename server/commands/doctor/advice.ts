/** Something about an instance that its operator should know. */
export interface Advice {
  /** "wrong": it is unsafe or does not work as it is. "careful": it may be meant so. */
  readonly weight: "wrong" | "careful";
  /** What it is, in a sentence. */
  readonly what: string;
  /** What to do about it, in a sentence. */
  readonly remedy: string;
}

export const wrong = (what: string, remedy: string): Advice => ({ weight: "wrong", what, remedy });
export const careful = (what: string, remedy: string): Advice => ({
  weight: "careful",
  what,
  remedy,
});
