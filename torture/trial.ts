/*
 * The vocabulary of the torture: a trial injects one kind of fault many times, and holds the server
 * to its promise after each: what was acknowledged is there and whole, and nothing else is left.
 */

export interface Trial {
  /** One word or two with a hyphen, by which it can be chosen. */
  readonly name: string;
  /** Throws `CannotRun` where the machine lacks what it needs; that counts as not passed. */
  run(scale: Scale): Promise<Row[]>;
}

export interface Scale {
  /** The count for a whole run, or for the short one that every change goes through. */
  tries(full: number, short: number): number;
  /** Says how far it is, for who watches. */
  progress(text: string): void;
}

/** One line of the table. */
export interface Row {
  readonly fault: string;
  readonly tries: number;
  /** Acknowledged files that are gone, changed, or cannot be found. */
  readonly lost: number;
  /** Bytes, records, leases or descriptors that nobody owns any more. */
  readonly leftovers: number;
  /** Any other broken promise, one sentence each, with what is needed to see it again. */
  readonly problems: readonly string[];
  /** Figures worth seeing beside the counts. */
  readonly note?: string;
}

export class CannotRun extends Error {}
