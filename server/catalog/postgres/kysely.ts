import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import { Kysely, PostgresAdapter, PostgresIntrospector } from "kysely";
import type { QueryResult as DriverResult } from "pg";
import type { Millis } from "../../domain/records.ts";
import { quickHash } from "../../runtime/hash.ts";
import {
  type PreparedStatement,
  type StatementRunner,
  withTime,
} from "../engine/prepared-statement.ts";
import type { Schema } from "../engine/schema.ts";
import { LongKeyCompiler } from "./long-key-compiler.ts";
import type { Statement } from "./session.ts";

/**
 * Kysely over a function that runs a statement. The engine manages transactions and connections. `now`: the time
 * of `NOW`.
 */
export function createKysely(
  run: (query: Statement) => Promise<DriverResult>,
  now: () => Millis = Date.now,
): Kysely<Schema> {
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { sql: text, parameters } = query;
      const values = parameters.map((parameter) => withTime(parameter, now));
      const { rows, rowCount, command } = await run({ text, values });
      if (command === "SELECT") return { rows };
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    },
    streamQuery() {
      throw new Error("Long lists are read in batches, by position.");
    },
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: unsupported,
    commitTransaction: unsupported,
    rollbackTransaction: unsupported,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  return new Kysely<Schema>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new LongKeyCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  });
}

/** Runs prepared statements by `run`, which returns the rows. `now`: the time of `NOW`. */
export function createStatementRunner(
  run: (statement: Statement) => Promise<QueryRows>,
  now: () => Millis,
): StatementRunner {
  return {
    first: async (statement, values) => (await run(toStatement(statement, values, now)))[0],
    all: (statement, values) => run(toStatement(statement, values, now)),
  };
}

/** The driver does not know the columns of a row: the author of the statement does. */
export type QueryRows = DriverResult["rows"];

function toStatement<Values>(
  statement: PreparedStatement<Values, unknown>,
  values: Values,
  now: () => Millis,
): Statement {
  const { sql: text, bind } = statement.compileFor(compiler);
  // Named by its text: two statements never share a name, even on a shared connection.
  const name = statement.keepsPlan ? { name: `holdall ${quickHash(text).toString(36)}` } : {};
  return { text, values: bind(values, now), ...name };
}

/** Compiles only. */
const compiler = createKysely(() => Promise.reject(new Error("This has no connection.")));

function unsupported(): Promise<void> {
  return Promise.reject(
    new Error("Transactions belong to the engine: make a change of `changes.ts`."),
  );
}
