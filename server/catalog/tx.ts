import type { Expression, Kysely } from "kysely";
import type { Millis } from "../rules/records.ts";
import type { Schema } from "./schema.ts";

/** A transaction in which a change runs. What the change throws undoes all of it. */
export interface Tx {
  readonly db: Kysely<Schema>;
  /** The time of day when the transaction began. */
  readonly now: Millis;
  /** Milliseconds of a clock that all users of the catalog share and nobody sets. */
  readonly leaseClock: number | Expression<number>;
  /** Whether rows must be locked, since others write at the same time. */
  readonly rowLocks: boolean;
}

/**
 * While the change waited for a row, somebody else has changed what led to it. It must begin anew,
 * with no lock held: any other that it took now would be out of order. Where rows are locked only.
 */
export class RetryTransaction extends Error {}
