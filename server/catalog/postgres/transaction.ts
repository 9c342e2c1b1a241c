import { sql } from "kysely";
import type { ChangedBy } from "../../domain/callers/caller.ts";
import type { Tx } from "../engine/tx.ts";
import { createKysely, createStatementRunner } from "./kysely.ts";
import { elapsed, SERVER_TIME, type ServerClock } from "./server-clock.ts";
import type { Session } from "./session.ts";

export interface Transaction {
  readonly tx: Omit<Tx, keyof ChangedBy | "dryRun" | "usage">;
  /** For asking the server about its outcome later. */
  readonly id: string;
  commit(): Promise<void>;
  /** Never throws: the server rolls back at the latest when the connection closes. */
  rollBack(): Promise<void>;
}

/** How long a change of very many records may take. */
const LONG_MS = 600_000;

/** Begins a transaction. `now` is the database's clock, so that all processes share one order. */
export async function beginTransaction(
  session: Session,
  { isLong, clock }: { readonly isLong: boolean; readonly clock: ServerClock },
): Promise<Transaction> {
  const sentAt = elapsed();
  const { rows } = await session.runAll([
    "begin isolation level read committed",
    ...(isLong ? [`set local statement_timeout = ${LONG_MS}`] : []),
    `select pg_current_xact_id()::text as id, ${SERVER_TIME} as now`,
  ]);
  const { id, now } = rows[0];
  clock.note(now, sentAt);
  const limit = isLong ? LONG_MS + 10_000 : undefined;
  const db = createKysely(
    (statement) => session.run(statement, limit),
    () => now,
  );
  return {
    tx: {
      db,
      ...createStatementRunner(
        async (statement) => (await session.run(statement, limit)).rows,
        () => now,
      ),
      now,
      leaseClock,
      leaseTime: now,
      lockRows: async (query) => void (await query.forUpdate().execute()),
      async lockName(name) {
        await session.run({ text: LOCK_NAME, values: [name] }, limit);
      },
      async nested(work) {
        await session.run({ text: "savepoint nested" });
        try {
          const result = await work();
          await session.run({ text: "release savepoint nested" });
          return result;
        } catch (cause) {
          // A lost connection has rolled everything back.
          await session
            .runAll(["rollback to savepoint nested", "release savepoint nested"])
            .catch(() => undefined);
          throw cause;
        }
      },
    },
    id,
    async commit() {
      const { command } = await session.run({ text: "commit" });
      if (command !== "COMMIT") throw new Error("The transaction had failed before its commit.");
    },
    async rollBack() {
      await session.run({ text: "rollback" }).catch(() => {});
    },
  };
}

/**
 * The server's clock when a row is read: never earlier than a heartbeat that another transaction has
 * just written.
 */
const leaseClock = sql<number>`${sql.raw(SERVER_TIME)}`;

/** Until the transaction ends. A database may have several catalogs in different schemas. */
export const LOCK_NAME =
  "select pg_advisory_xact_lock(hashtextextended('holdall ' || current_schema() || ' ' || $1, 0))";
