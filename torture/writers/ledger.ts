import type { Inventory } from "../inventory.ts";

/**
 * The expected state of one client, which has its own folder and makes one request after the other.
 */
export interface Ledger {
  readonly folder: string;
  /**
   * The allowed states: the acknowledged one, and the one with the change that has no response yet.
   */
  expectedStates(): readonly Inventory[];
  /** Continues from the actual state. */
  continueFrom(from: Inventory): void;
}
