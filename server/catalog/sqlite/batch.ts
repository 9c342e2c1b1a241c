import { uptime } from "node:os";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import type { Tx } from "../tx.ts";
import { begin } from "./begin.ts";
import type { SqliteConnection } from "./connection.ts";
import { createStatementRunner } from "./kysely.ts";
import { mayBeKept } from "./sqlite-fault.ts";

/** A change that waits for its turn. */
export interface Waiting {
  /** Whether it runs in a transaction of its own. */
  readonly alone: boolean;
  /** Runs the change; what it returns is called once the change is safe. */
  run(tx: Tx): Promise<() => void>;
  fail(cause: unknown): void;
}

/**
 * Runs the changes in one transaction and commits once. A change that fails is undone alone; when
 * the transaction cannot begin or be kept, all of them fail. Never throws. Answers only after the
 * commit, refusals too: they may rest on what another change of the batch did. When a commit has
 * failed and nobody can tell whether the changes are kept, nobody is answered and the error comes
 * back.
 */
export async function runBatch(
  connection: SqliteConnection,
  db: Kysely<Schema>,
  batch: readonly Waiting[],
): Promise<Error | undefined> {
  const answers: (() => void)[] = [];
  try {
    await begin(connection);
    const tx = createTx(connection, db);
    for (const change of batch) {
      // A savepoint keeps a copy of every page that is changed: one that is alone needs none.
      answers.push(
        batch.length === 1 ? await change.run(tx) : await runInSavepoint(connection, tx, change),
      );
    }
    connection.run("COMMIT");
  } catch (cause) {
    undo(connection);
    if (cause instanceof Error && mayBeKept(cause) && !(await settle(connection))) return cause;
    for (const change of batch) change.fail(cause);
    return undefined;
  }
  for (const answer of answers) answer();
  return undefined;
}

/** The answer to give after the commit. Throws when the whole transaction is lost. */
async function runInSavepoint(
  connection: SqliteConnection,
  tx: Tx,
  change: Waiting,
): Promise<() => void> {
  connection.run("SAVEPOINT change");
  try {
    const answer = await change.run(tx);
    connection.run("RELEASE change");
    return answer;
  } catch (cause) {
    // A full disk or a failed write makes SQLite give up the transaction by itself.
    if (!connection.inTransaction()) throw cause;
    connection.run("ROLLBACK TO change");
    connection.run("RELEASE change");
    return () => change.fail(cause);
  }
}

function createTx(connection: SqliteConnection, db: Kysely<Schema>): Tx {
  return {
    db,
    ...createStatementRunner(connection, db),
    now: Date.now(),
    // The time since boot: all processes on the machine share it, and setting the clock leaves it alone.
    leaseClock: Math.round(uptime() * 1000),
    lockRows: async () => {},
  };
}

/**
 * After such a failure the whole commit may lie in the log, and a crash would bring it back to life.
 * Another commit in its place makes sure that it is none. Returns whether there is one.
 */
async function settle(connection: SqliteConnection): Promise<boolean> {
  try {
    await begin(connection);
    // Changes nothing, and writes a page all the same.
    connection.run("PRAGMA user_version = 0");
    connection.run("COMMIT");
    return true;
  } catch {
    undo(connection);
    return false;
  }
}

function undo(connection: SqliteConnection): void {
  if (!connection.inTransaction()) return;
  try {
    connection.run("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself, which is what was wanted.
  }
}
