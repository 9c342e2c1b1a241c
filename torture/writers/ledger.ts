import type { Inventory } from "../inventory.ts";

/** What one who keeps to a folder of his own, and does one thing after the other, was promised. */
export interface Ledger {
  readonly folder: string;
  /** What may be there: what was acknowledged, and the same with the change that has no answer. */
  expectedStates(): readonly Inventory[];
  /** Goes on from what is there now. */
  continueFrom(from: Inventory): void;
}
