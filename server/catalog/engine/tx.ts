import type { Expression, Kysely } from "kysely";
import type { ChangedBy } from "../../domain/callers/caller.ts";
import type { DryRunConflict } from "../../domain/dry-run.ts";
import type { BlobId, Key, Millis } from "../../domain/records.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import type { RecordedUsage } from "../quotas/usage.ts";
import type { TakenBack } from "../tables/undo.ts";
import type { StatementRunner } from "./prepared-statement.ts";
import type { Schema } from "./schema.ts";

/** The transaction of a change, for its caller. When the change throws, the transaction is rolled back. */
export interface Tx extends StatementRunner, ChangedBy {
  /** Takes note of what the change adds and removes: its end writes it into quotas. */
  readonly usage: RecordedUsage;
  readonly db: Kysely<Schema>;
  /** The time of day when the transaction began. */
  readonly now: Millis;
  /** Milliseconds of a clock that all users of the catalog share and that is never set back. */
  readonly leaseClock: number | Expression<number>;
  /** The lease clock when the transaction began, for where being a little behind does no harm. */
  readonly leaseTime: number;
  /**
   * Locks the rows that a query finds, in its order, until the transaction ends. Nothing to do where
   * only one transaction writes at a time.
   */
  lockRows(query: LockableQuery): Promise<void>;
  /**
   * Waits for the other transactions that have locked this name, and locks it until the transaction ends, so that
   * what is counted stays true until then. To be called before any row is locked. Nothing to do where only one
   * transaction writes at a time.
   */
  lockName(name: string): Promise<void>;
  /** Does work. If it throws, what it has written is taken back, and the transaction can go on. */
  nested<T>(work: () => Promise<T>): Promise<T>;
  /** Set in a dry run only. */
  readonly dryRun?: DryRunLog;
  /** Takes the changes of the feed, instead of the feed itself, when a change consists of others. */
  readonly collected?: TreeChange[];
  /** In an undo: what is taken back, by the ids of files and folders. */
  readonly takesBack?: ReadonlyMap<string, TakenBack>;
}

/** The log of a dry run: everything that the change did before it is rolled back. */
export interface DryRunLog {
  readonly changes: TreeChange[];
  /** Blobs that no record refers to any more. */
  readonly condemned: BlobId[];
  /** The keys that folders had which were removed, with everything inside. */
  readonly removedFolders: Key[];
  readonly conflicts: DryRunConflict[];
}

export interface LockableQuery {
  forUpdate(): { execute(): Promise<unknown> };
}

/**
 * Another transaction changed what this one has read, while this one waited for a lock. The change
 * must be retried from the start, without locks: taking more now would break the lock order.
 */
export class RetryTransaction extends Error {}
