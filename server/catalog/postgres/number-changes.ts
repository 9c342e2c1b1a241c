import { isReadOnly, postgresFault } from "./postgres-fault.ts";
import type { Reader } from "./reader.ts";
import type { SessionPool } from "./session-pool.ts";

/*
 * Transactions do not commit in the order in which they write, so a number that each of them takes
 * for itself would let a reader pass over an entry that becomes visible later. So entries are written
 * without a number, and numbered once they are visible: a process that reads the feed first gives all
 * visible entries the next numbers, in the order in which they were written (`written`), one process
 * at a time. An entry that becomes visible later gets a later number.
 *
 * This keeps the order of changes that depend on each other. Such changes lock a row in common, or
 * one sees what the other has committed. In both cases the second one writes its entries after the
 * first has committed: a transaction writes them when it holds the locks of what they are about. So they have a
 * greater `written`, and a process that sees them sees the first one's changes as well.
 *
 * A process that is killed while it numbers leaves them without numbers, and the next one begins
 * anew.
 */

/** Entries that are numbered in one transaction. */
const BATCH = 5000;

/** Numbers every entry that is visible now, unless the server is read-only. */
export function createNumberChanges(reader: Reader, pool: SessionPool): () => Promise<void> {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;

  async function numberAll(): Promise<void> {
    while (await hasUnnumbered(reader)) if (!(await numberBatch(pool))) return;
  }

  async function run(): Promise<void> {
    try {
      await numberAll();
    } finally {
      running = undefined;
    }
  }

  return async () => {
    // The current run may have missed entries that the caller must see: the callers share the next.
    if (running === undefined) {
      running = run();
      return running;
    }
    waiting ??= running
      .catch(() => {})
      .then(() => {
        waiting = undefined;
        running = run();
        return running;
      });
    return waiting;
  };
}

async function hasUnnumbered({ db }: Reader): Promise<boolean> {
  const found = await db
    .selectFrom("changes")
    .select("kind")
    .where("seq", "is", null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns false if the server is read-only. Readers see the entries that it leaves once it is not. */
async function numberBatch(pool: SessionPool): Promise<boolean> {
  const session = await pool.acquire();
  try {
    await session.runAll(["begin isolation level read committed", LOCK]);
    // A statement of its own: it sees what was committed before the lock was granted.
    await session.run({ text: NUMBER });
    await session.run({ text: "commit" });
    return true;
  } catch (cause) {
    await session.run({ text: "rollback" }).catch(() => {});
    if (isReadOnly(cause)) return false;
    throw postgresFault(cause);
  } finally {
    session.release();
  }
}

/** Until the transaction ends. A database may have several catalogs in different schemas. */
const LOCK =
  "select pg_advisory_xact_lock(hashtextextended('holdall feed ' || current_schema(), 0))";

const NUMBER = `
  update changes set seq = numbered.seq
  from (
    select unnumbered.written,
      (select max(seq) from changes) + row_number() over (order by unnumbered.written) as seq
    from (select written from changes where seq is null order by written limit ${BATCH}) as unnumbered
  ) as numbered
  where changes.written = numbered.written`;
