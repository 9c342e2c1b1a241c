import type { SelectModifierNode } from "kysely";
import {
  Kysely,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Millis } from "../../domain/records.ts";
import { type StatementRunner, withTime } from "../engine/prepared-statement.ts";
import type { Schema } from "../engine/schema.ts";
import type { SqliteConnection } from "./connection.ts";

/** Kysely over a connection that stays its owner's: never `destroy` it. `now`: the time of `NOW`. */
export function createKysely(
  connection: SqliteConnection,
  now: () => Millis = Date.now,
): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createDriver: () => new SqliteDriver({ database: withClock(connection, now) }),
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => new LocklessCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
  });
}

/** Statements get the time in place of `NOW`. */
function withClock(connection: SqliteConnection, now: () => Millis): SqliteConnection {
  const timed = (values: readonly unknown[]) => values.map((value) => withTime(value, now));
  return {
    ...connection,
    prepare(sql) {
      const statement = connection.prepare(sql);
      return {
        reader: statement.reader,
        all: (values) => statement.all(timed(values)),
        run: (values) => statement.run(timed(values)),
        iterate: (values) => statement.iterate(timed(values)),
      };
    },
  };
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
  now: () => Millis = Date.now,
): StatementRunner {
  return {
    first(statement, values) {
      const { sql, bind } = statement.compileFor(db);
      return connection.first(sql, bind(values, now));
    },
    all(statement, values) {
      const { sql, bind } = statement.compileFor(db);
      return connection.all(sql, bind(values, now));
    },
  };
}
