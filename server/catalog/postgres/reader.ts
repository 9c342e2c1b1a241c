import type { Kysely } from "kysely";
import type { QueryResult } from "pg";
import { Fault } from "../../domain/faults/fault.ts";
import type { Millis } from "../../domain/records.ts";
import type { StatementRunner } from "../engine/prepared-statement.ts";
import type { Schema } from "../engine/schema.ts";
import { gatherLookups } from "./gather-lookups.ts";
import { createKysely, createStatementRunner } from "./kysely.ts";
import { isLost, postgresFault } from "./postgres-fault.ts";
import type { Statement } from "./session.ts";
import type { SessionPool } from "./session-pool.ts";

/** Reads with connections of its own, so that lookups do not wait for changes. */
export interface Reader extends StatementRunner {
  readonly db: Kysely<Schema>;
}

export function createReader(pool: SessionPool, now: () => Millis = Date.now): Reader {
  const db = createKysely((statement) => read(pool, statement), now);

  const runner = createStatementRunner(
    async (statement) => (await read(pool, statement)).rows,
    now,
  );

  return { db, ...runner, first: gatherLookups(runner) };
}

/** Retries once: an idle connection may have been lost. A fault says that its wait is over. */
async function read(pool: SessionPool, statement: Statement): Promise<QueryResult> {
  try {
    return await readOnce(pool, statement).catch((cause: unknown) => {
      if (cause instanceof Fault || !isLost(cause)) throw cause;
      return readOnce(pool, statement);
    });
  } catch (cause) {
    throw postgresFault(cause);
  }
}

async function readOnce(pool: SessionPool, statement: Statement): Promise<QueryResult> {
  const session = await pool.acquire();
  try {
    return await session.run(statement);
  } finally {
    session.release();
  }
}
