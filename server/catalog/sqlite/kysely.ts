import type { SelectModifierNode } from "kysely";
import {
  Kysely,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { StatementRunner } from "../engine/prepared-statement.ts";
import type { Schema } from "../engine/schema.ts";
import type { SqliteConnection } from "./connection.ts";

/** Kysely over a connection that stays its owner's: never `destroy` it. */
export function createKysely(connection: SqliteConnection): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createDriver: () => new SqliteDriver({ database: connection }),
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => new LocklessCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
  });
}

/** SQLite has no row locks and needs none: a transaction that writes is the only one. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === "Distinct") super.visitSelectModifier(node);
  }
}

/** Runs prepared statements at once, on this thread: SQLite answers a lookup in microseconds. */
export function createStatementRunner(
  connection: SqliteConnection,
  db: Kysely<Schema>,
): StatementRunner {
  return {
    first(statement, values) {
      const { sql, bind } = statement.compileFor(db);
      return connection.first(sql, bind(values));
    },
    all(statement, values) {
      const { sql, bind } = statement.compileFor(db);
      return connection.all(sql, bind(values));
    },
  };
}
