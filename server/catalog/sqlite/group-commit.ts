import { uptime } from "node:os";
import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { ChangedBy } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { changes } from "../changes.ts";
import type { Writer } from "../engine/engine.ts";
import type { Schema } from "../engine/schema.ts";
import type { Tx } from "../engine/tx.ts";
import { runChange } from "../run-change.ts";
import { configureForWriting } from "./configure.ts";
import { openConnection, type SqliteConnection, truncateLog } from "./connection.ts";
import { createKysely, createStatementRunner } from "./kysely.ts";
import { beginImmediate } from "./retry-while-busy.ts";
import { isDiskError, mayBeKept } from "./sqlite-fault.ts";

const MAX_BATCH = 256;

/** The transaction of a batch, whose changes may have different callers. */
type BatchTx = Omit<Tx, keyof ChangedBy | "dryRun" | "usage">;

/** A change in the queue. */
interface QueuedChange {
  /** Whether it needs a transaction of its own. */
  readonly alone: boolean;
  /** Runs the change. The caller calls what it returns once the change survives a power cut. */
  run(tx: BatchTx): Promise<() => void>;
  fail(cause: unknown): void;
}

/**
 * Makes changes on this thread, which a slow disk or a busy catalog then blocks for a while. Changes
 * that wait at the same time share one transaction and one fsync.
 *
 * When a commit fails and nothing can tell whether it was kept, no further change is accepted: the
 * next start finds out. `onBroken` is called then, before the changes concerned fail.
 */
export async function openGroupCommit(
  path: string,
  onBroken: (cause: Error) => void = () => {},
): Promise<Writer> {
  const connection = await openToWrite(path);
  const clock = { now: Date.now() };
  const db = createKysely(connection, () => clock.now);
  const queue: QueuedChange[] = [];
  let working: Promise<void> | undefined;
  let refusal: Fault | undefined;

  function takeBatch(): QueuedChange[] {
    const alone = queue.findIndex((change) => change.alone);
    const together = alone === -1 ? queue.length : Math.max(alone, 1);
    return queue.splice(0, Math.min(together, MAX_BATCH));
  }

  async function work(): Promise<void> {
    while (queue.length > 0) {
      // Lets changes that have already been sent arrive, so that they share the commit.
      await setImmediate();
      const batch = takeBatch();
      const unknown = await commitBatch({ connection, db, clock }, batch);
      if (unknown !== undefined) breakDown(unknown, batch);
    }
    working = undefined;
  }

  function breakDown(cause: Error, batch: readonly QueuedChange[]): void {
    refusal = new Fault("unavailable", "The catalog's writer has broken down.", { cause });
    onBroken(cause);
    for (const change of [...batch, ...queue.splice(0)]) change.fail(refusal);
  }

  return {
    change(name, input, caller) {
      if (refusal !== undefined) return Promise.reject(refusal);
      return new Promise((resolve, reject) => {
        queue.push({
          // One that is only tried ends the transaction that it is in.
          alone: changes[name].alone === true || caller.isDryRun === true,
          async run(tx) {
            const result = await runChange(tx, name, input, caller);
            return () => resolve(result);
          },
          fail: reject,
        });
        working ??= work();
      });
    },
    async close() {
      refusal ??= new Fault("unavailable", "The catalog is closed.");
      await working;
      connection.close();
    },
  };
}

interface WritableFile {
  readonly connection: SqliteConnection;
  readonly db: Kysely<Schema>;
  /** The time when the transaction began. */
  readonly clock: { now: number };
}

async function openToWrite(path: string): Promise<SqliteConnection> {
  const connection = openConnection(path);
  try {
    await configureForWriting(connection);
    return connection;
  } catch (cause) {
    connection.close();
    throw cause;
  }
}

/**
 * Runs the changes in one transaction and commits once. A change that fails is rolled back alone;
 * when the transaction cannot begin or commit, all of them fail. Never throws. Callers get their
 * results only after the commit, and their faults too: a fault may be due to another change of the
 * batch. When nothing can tell whether a failed commit was kept, no caller gets a result, and the
 * error is returned.
 */
async function commitBatch(
  file: WritableFile,
  batch: readonly QueuedChange[],
): Promise<Error | undefined> {
  const { connection } = file;
  let answers: (() => void)[];
  try {
    answers = (await runTogether(file, batch)) ?? (await runWithSavepoints(file, batch));
    connection.run("COMMIT");
  } catch (cause) {
    rollBack(connection);
    const isUnknown = cause instanceof Error && mayBeKept(cause);
    if (isUnknown && !(await overwriteFailedCommit(connection))) return cause;
    if (!(cause instanceof Fault) || isDiskError(cause)) truncateLog(connection);
    for (const change of batch) change.fail(cause);
    return undefined;
  }
  for (const answer of answers) answer();
  return undefined;
}

/**
 * Begins the transaction and runs the changes in it. Returns how to answer after the commit; undefined:
 * one of several has failed, and the transaction is rolled back. Throws when the only one fails.
 */
async function runTogether(
  file: WritableFile,
  batch: readonly QueuedChange[],
): Promise<(() => void)[] | undefined> {
  const { connection } = file;
  await beginImmediate(connection);
  const tx = createTx(file);
  const answers: (() => void)[] = [];
  try {
    for (const change of batch) answers.push(await change.run(tx));
    return answers;
  } catch (cause) {
    if (batch.length === 1) throw cause;
    rollBack(connection);
    return undefined;
  }
}

/**
 * Runs the changes like `runTogether`, but a change that fails is rolled back alone. Takes much longer: a
 * savepoint copies every page that changes.
 */
async function runWithSavepoints(
  file: WritableFile,
  batch: readonly QueuedChange[],
): Promise<(() => void)[]> {
  const { connection } = file;
  await beginImmediate(connection);
  const tx = createTx(file);
  const answers: (() => void)[] = [];
  for (const change of batch) answers.push(await runInSavepoint(connection, tx, change));
  return answers;
}

/** Returns how to answer after the commit. Throws when the whole transaction is lost. */
async function runInSavepoint(
  connection: SqliteConnection,
  tx: BatchTx,
  change: QueuedChange,
): Promise<() => void> {
  connection.run("SAVEPOINT change");
  try {
    const answer = await change.run(tx);
    connection.run("RELEASE change");
    return answer;
  } catch (cause) {
    // On a full disk or a failed write SQLite rolls the transaction back by itself.
    if (!connection.inTransaction()) throw cause;
    connection.run("ROLLBACK TO change");
    connection.run("RELEASE change");
    return () => change.fail(cause);
  }
}

function createTx({ connection, db, clock }: WritableFile): BatchTx {
  clock.now = Date.now();
  // The time since boot: all processes on the machine share it, and setting the clock leaves it alone.
  const leaseClock = Math.round(uptime() * 1000);
  return {
    db,
    ...createStatementRunner(connection, db, () => clock.now),
    now: clock.now,
    leaseClock,
    leaseTime: leaseClock,
    lockRows: async () => {},
    lockName: async () => {},
    async nested(work) {
      connection.run("SAVEPOINT nested");
      try {
        const result = await work();
        connection.run("RELEASE nested");
        return result;
      } catch (cause) {
        // On a full disk or a failed write SQLite rolls the transaction back by itself.
        if (connection.inTransaction()) {
          connection.run("ROLLBACK TO nested");
          connection.run("RELEASE nested");
        }
        throw cause;
      }
    },
  };
}

/**
 * After such a failure the whole commit may be in the log, and recovery from a crash would apply it.
 * Another commit in the same place rules that out. Returns whether it succeeded.
 */
async function overwriteFailedCommit(connection: SqliteConnection): Promise<boolean> {
  try {
    await beginImmediate(connection);
    // Changes no data, but writes a page.
    connection.run("PRAGMA user_version = 0");
    connection.run("COMMIT");
    return true;
  } catch {
    rollBack(connection);
    return false;
  }
}

function rollBack(connection: SqliteConnection): void {
  if (!connection.inTransaction()) return;
  try {
    connection.run("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself.
  }
}
