import type { Compilable } from "kysely";
import { sql } from "kysely";
import type { Param, TextValues } from "../engine.ts";
import type { SqliteConnection } from "./connection.ts";

/** See `Engine.prepare`. Runs on this thread at once; SQLite answers such a lookup in microseconds. */
export function prepareQuery<Values extends TextValues, Row>(
  connection: SqliteConnection,
  build: (param: Param<Values>) => Compilable<Row>,
): (values: Values) => Row | undefined {
  // The names stand for the values, so the compiled parameters tell the order of the values.
  const param: Param<Values> = (name) => sql<Values[typeof name]>`${name}`;
  const compiled = build(param).compile();
  const names = compiled.parameters.map(String);
  const first = connection.first<Row>(compiled.sql);
  return (values) => first(names.map((name) => values[name]));
}
