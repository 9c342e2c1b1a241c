import { sql } from "kysely";
import type { Tx } from "../tx.ts";
import { createKysely, createStatementRunner } from "./kysely.ts";
import type { Session } from "./session.ts";

export interface Transaction {
  readonly tx: Tx;
  /** By which the server tells later what has become of it. */
  readonly id: string;
  commit(): Promise<void>;
  /** Never throws: what was not committed is undone at the latest with the connection. */
  rollBack(): Promise<void>;
}

/** How long changes of a great many records may take: as long as it needs, but not for ever. */
const LONG_MS = 600_000;

/** Begins a transaction; everybody's `now` is the database's, so that records keep one order. */
export async function beginTransaction(session: Session, isLong: boolean): Promise<Transaction> {
  const { rows } = await session.runAll([
    "begin isolation level read committed read write",
    ...(isLong ? [`set local statement_timeout = ${LONG_MS}`] : []),
    "select pg_current_xact_id()::text as id, floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now",
  ]);
  const { id, now } = rows[0];
  const limit = isLong ? LONG_MS + 10_000 : undefined;
  const db = createKysely(({ sql: text, parameters }) =>
    session.run({ text, values: parameters }, limit),
  );
  return {
    tx: {
      db,
      ...createStatementRunner(async (statement) => (await session.run(statement, limit)).rows),
      now,
      leaseClock,
      lockRows: async (query) => void (await query.forUpdate().execute()),
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
 * The server's clock at the moment when a row is looked at: a heartbeat that another transaction has
 * just left is never later.
 */
const leaseClock = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;
