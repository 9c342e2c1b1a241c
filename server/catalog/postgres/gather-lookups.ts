import { sql } from "kysely";
import { createGather } from "../../lib/gather.ts";
import {
  type PreparedStatement,
  prepared,
  type StatementRunner,
} from "../engine/prepared-statement.ts";
import type { QueryRows } from "./kysely.ts";
import { storable } from "./session.ts";

/*
 * A lookup by key takes far more processor time for the round trip than for finding the row, in both
 * processes. So lookups of one kind that wait for the database at the same time share a statement. Each of
 * them begins before that statement does, so none is answered with what was true before it.
 */

const LIMITS = {
  /** Statements for one kind of lookup that run at the same time. */
  concurrency: 4,
  /** Longer than a round trip: a lookup that reads from the disk must not keep the others waiting. */
  maxWaitMs: 5,
  /** Lookups in one statement. */
  maxItems: 64,
};

/** The driver does not know the types of values and rows: the author of the lookup does. */
type Row = QueryRows[number];

/** The runner's `first`, for the lookups of many requests. */
export function gatherLookups({ first, all }: StatementRunner): StatementRunner["first"] {
  const gathers = new WeakMap<object, (values: Row) => Promise<Row>>();

  function gatherFor<Values>(statement: Lookup<Values>): (values: Values) => Promise<Row> {
    const together = findTogether(statement.queryFor);
    const gather = createGather<Values, Row>({
      ...LIMITS,
      async work(wanted) {
        if (wanted.length === 1) return Promise.all(wanted.map((each) => first(statement, each)));
        const rows: Row[] = Array.from(wanted, () => undefined);
        for (const { number, ...row } of await all(together, { wanted: toJson(wanted) })) {
          rows[number] = row;
        }
        return rows;
      },
    });
    gathers.set(statement, gather);
    return gather;
  }

  return (statement, values) => {
    const known = gathers.get(statement);
    if (known !== undefined) return known(values);
    return isLookup(statement) ? gatherFor(statement)(values) : first(statement, values);
  };
}

interface Lookup<Values> extends PreparedStatement<Values, unknown> {
  readonly queryFor: NonNullable<PreparedStatement<Values, unknown>["queryFor"]>;
}

const isLookup = <Values>(
  statement: PreparedStatement<Values, unknown>,
): statement is Lookup<Values> => statement.queryFor !== undefined;

/**
 * Finds the rows for a JSON array of values; each row has the `number` of its values there. Without `limit`, the
 * database may read all files and join them with the list.
 */
const findTogether = <Values>(queryFor: Lookup<Values>["queryFor"]) =>
  prepared<{ wanted: string }, Row>((db, param) => {
    const names = new Set<string>();
    const query = queryFor(db, (name) => {
      names.add(name);
      return sql.ref(`wanted.${name}`);
    });
    const columns = [...names].map((name) => sql`${sql.ref(name)} text`);
    const together = sql`
      select list.number::int - 1 as number, found.*
      from json_array_elements(${param("wanted")}::json) with ordinality as list (json, number)
      cross join lateral json_to_record(list.json) as wanted (${sql.join(columns)})
      cross join lateral (${query} limit 1) as found`;
    return { compile: () => together.compile(db) };
  });

/** U+0000 and lone surrogates, as JSON has them. */
const UNREADABLE = /\\u(?:0000|d[89a-f])/;

/** JSON that the database can read, with the texts as it would get them by themselves. */
function toJson(wanted: readonly unknown[]): string {
  const json = JSON.stringify(wanted);
  if (!UNREADABLE.test(json)) return json;
  return JSON.stringify(wanted, (_, value: unknown) =>
    typeof value === "string" ? storable(value.toWellFormed()) : value,
  );
}
