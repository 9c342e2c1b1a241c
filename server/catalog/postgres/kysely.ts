import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import { Kysely, PostgresAdapter, PostgresIntrospector } from "kysely";
import type { QueryResult as DriverResult } from "pg";
import type { Schema } from "../schema.ts";
import { KeyCompiler } from "./key-compiler.ts";

/** Kysely over whatever runs a statement. Transactions are the engine's, and so are connections. */
export function createKysely(run: (query: CompiledQuery) => Promise<DriverResult>): Kysely<Schema> {
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, rowCount, command } = await run(query);
      if (command === "SELECT") return { rows };
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    },
    streamQuery() {
      throw new Error("Long lists are read by position.");
    },
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: notHere,
    commitTransaction: notHere,
    rollbackTransaction: notHere,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  return new Kysely<Schema>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new KeyCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  });
}

function notHere(): Promise<void> {
  return Promise.reject(new Error("A change of `changes.ts` is the only transaction there is."));
}
