import type { Compilable, Kysely } from "kysely";
import { sql } from "kysely";
import type { QueryResult } from "pg";
import type { Engine, Param, TextValues } from "../engine.ts";
import type { Schema } from "../schema.ts";
import { createKysely } from "./kysely.ts";
import { isLost, postgresFault } from "./postgres-fault.ts";
import type { Statement } from "./session.ts";
import type { SessionPool } from "./session-pool.ts";

/** Reads with connections of its own, so that no lookup waits for somebody's change. */
export interface Reader extends Pick<Engine, "prepare"> {
  readonly db: Kysely<Schema>;
}

export function createReader(pool: SessionPool): Reader {
  const db = createKysely(({ sql: text, parameters: values }) => read(pool, { text, values }));
  let prepared = 0;

  return {
    db,
    prepare<Values extends TextValues, Row>(build: (param: Param<Values>) => Compilable<Row>) {
      // The names stand for the values, so the compiled parameters tell the order of the values.
      const param: Param<Values> = (name) => sql<Values[typeof name]>`${name}`;
      const compiled = build(param).compile();
      const names = compiled.parameters.map(String);
      prepared += 1;
      const name = `lookup ${prepared}`;
      return async (values: Values): Promise<Row | undefined> => {
        const given = names.map((each) => values[each]);
        const { rows } = await read(pool, { name, text: compiled.sql, values: given });
        return rows[0];
      };
    },
  };
}

/** A read may be tried again: the connection may have been lost while nobody was using it. */
async function read(pool: SessionPool, statement: Statement): Promise<QueryResult> {
  try {
    return await readOnce(pool, statement).catch((cause: unknown) => {
      if (!isLost(cause)) throw cause;
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
