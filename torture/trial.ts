/*
 * A trial injects one kind of fault many times and checks the guarantee after each: every
 * acknowledged change is there and complete, and nothing else is left.
 */

export interface Trial {
  /** The name to select it by on the command line. */
  readonly name: string;
  /** Throws `CannotRun` if the machine lacks a requirement; that counts as failed. */
  run(scale: Scale): Promise<Row[]>;
}

export interface Scale {
  /** The number of tries of a full or a short run. */
  tries(full: number, short: number): number;
  /** Reports progress. */
  progress(text: string): void;
}

/** One line of the table. */
export interface Row {
  readonly fault: string;
  readonly tries: number;
  /** Acknowledged files that are missing or changed. */
  readonly lost: number;
  /** Orphaned blobs, records, leases or file descriptors. */
  readonly leftovers: number;
  /** Other failures, one sentence each, with what is needed to reproduce them. */
  readonly problems: readonly string[];
  /** Additional figures. */
  readonly note?: string;
}

export class CannotRun extends Error {}
