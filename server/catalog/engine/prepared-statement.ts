import type { Compilable, Expression, Kysely } from "kysely";
import { sql } from "kysely";
import type { Millis } from "../../domain/records.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { Schema } from "./schema.ts";

/*
 * Building a query and compiling it to SQL costs more processor time than SQLite needs to run it.
 * The statements of hot paths are built once per dialect, with placeholders, and only their values
 * are bound from then on.
 */

export type Value = string | number | null;

/** A statement with placeholders, built and compiled at its first use. */
export interface PreparedStatement<Values, Row> {
  /** `db` decides the dialect; the same one gives the same result. */
  compileFor(db: Kysely<Schema>): CompiledStatement<Values, Row>;
  /**
   * Whether the best plan is the same for all values, so that the database server may keep it.
   * SQLite never plans by values.
   */
  readonly keepsPlan: boolean;
  /**
   * The query for the values of these expressions. Only of lookups, so that an engine can find the rows
   * of several of them with one statement.
   */
  readonly queryFor?: ((db: Kysely<Schema>, param: Param<Values>) => Expression<Row>) | undefined;
}

export interface CompiledStatement<Values, Row> {
  readonly sql: string;
  /** The values of the placeholders, in their order in the text. `now`: the time of `NOW`. */
  bind(values: Values, now: () => Millis): Value[];
  readonly query: Compilable<Row>;
}

/** Runs prepared statements: a reader of the catalog, or the transaction of a change. */
export interface StatementRunner {
  first<Values, Row>(
    statement: PreparedStatement<Values, Row>,
    values: Values,
  ): MaybePromise<Row | undefined>;
  all<Values, Row>(statement: PreparedStatement<Values, Row>, values: Values): MaybePromise<Row[]>;
}

/** The placeholder for the value of that name. */
export type Param<Values> = <Name extends keyof Values & string>(
  name: Name,
) => Expression<Values[Name]>;

type ValuesOf<Values> = { readonly [Name in keyof Values]: Value };

/** For lookups and changes by unique keys, which have one best plan. */
export function prepared<Values extends ValuesOf<Values>, Row>(
  build: (db: Kysely<Schema>, param: Param<Values>) => Compilable<Row>,
): PreparedStatement<Values, Row> {
  return statement((db) => build(db, placeholdersOf<Values>()), true);
}

/** Like `prepared`, for reading one row by text keys, which many requests do at the same time. */
export function lookup<Values extends { readonly [Name in keyof Values]: string }, Row>(
  build: (db: Kysely<Schema>, param: Param<Values>) => Compilable<Row> & Expression<Row>,
): PreparedStatement<Values, Row> {
  return { ...prepared<Values, Row>(build), queryFor: build };
}

/** For walks along an index: their best plan depends on the values. */
export function compiledOnce<Values extends ValuesOf<Values>, Row>(
  build: (db: Kysely<Schema>, param: Param<Values>) => Compilable<Row>,
): PreparedStatement<Values, Row> {
  return statement((db) => build(db, placeholdersOf<Values>()), false);
}

/** The placeholders of a statement whose values have their names. */
const placeholdersOf = <Values extends ValuesOf<Values>>(): Param<Values> =>
  placeholders<Values, Values>((values) => values);

export interface WithItems<Item, Shared> {
  readonly items: readonly Item[];
  readonly shared: Shared;
}

type BuildForItems<Item, Shared, Row> = (
  db: Kysely<Schema>,
  items: readonly Param<Item>[],
  shared: Param<Shared>,
) => Compilable<Row>;

/** A statement for any number of items: one is made for each number, when it first occurs. */
export function preparedForItems<Item extends ValuesOf<Item>, Shared extends ValuesOf<Shared>, Row>(
  build: BuildForItems<Item, Shared, Row>,
): (count: number) => PreparedStatement<WithItems<Item, Shared>, Row> {
  return statementsForItems(build, (count) => count === 1);
}

/** Like `preparedForItems`, for walks along an index. */
export const compiledForItems = <Item extends ValuesOf<Item>, Shared extends ValuesOf<Shared>, Row>(
  build: BuildForItems<Item, Shared, Row>,
): ((count: number) => PreparedStatement<WithItems<Item, Shared>, Row>) =>
  statementsForItems(build, () => false);

function statementsForItems<Item extends ValuesOf<Item>, Shared extends ValuesOf<Shared>, Row>(
  build: BuildForItems<Item, Shared, Row>,
  keepsPlan: (count: number) => boolean,
): (count: number) => PreparedStatement<WithItems<Item, Shared>, Row> {
  type Values = WithItems<Item, Shared>;
  const make = (count: number) =>
    statement<Values, Row>((db) => {
      const items = Array.from({ length: count }, (_, index) =>
        placeholders<Item, Values>((values) => values.items[index]),
      );
      return build(
        db,
        items,
        placeholders<Shared, Values>((values) => values.shared),
      );
    }, keepsPlan(count));
  return perShape((count) => count, make);
}

/** Makes the statement of each shape once, when it first occurs. */
export function perShape<Shape, Statement>(
  keyOf: (shape: Shape) => string | number,
  make: (shape: Shape) => Statement,
): (shape: Shape) => Statement {
  const made = new Map<string | number, Statement>();
  return (shape) => {
    const key = keyOf(shape);
    const known = made.get(key);
    if (known !== undefined) return known;
    const created = make(shape);
    made.set(key, created);
    return created;
  };
}

function statement<Values, Row>(
  build: (db: Kysely<Schema>) => Compilable<Row>,
  keepsPlan: boolean,
): PreparedStatement<Values, Row> {
  const compiled = new WeakMap<Kysely<Schema>, CompiledStatement<Values, Row>>();
  return {
    keepsPlan,
    compileFor(db) {
      const known = compiled.get(db);
      if (known !== undefined) return known;
      const query = build(db);
      const { sql: text, parameters } = query.compile();
      const bind = (values: Values, now: () => Millis): Value[] =>
        parameters.map((parameter) => resolveValue<Values>(withTime(parameter, now), values));
      const created = { sql: text, bind, query };
      compiled.set(db, created);
      return created;
    },
  };
}

/** Stands among a query's parameters for the time by the catalog's clock, or when the transaction began. */
export const NOW = Object.freeze({ stands: "for the time" });

/** The parameter, or the time if it stands for that. */
export const withTime = (parameter: unknown, now: () => Millis): unknown =>
  parameter === NOW ? now() : parameter;

/** Stands among a query's parameters for a value that is not known yet. */
class Placeholder<Values> {
  readonly read: (values: Values) => Value | undefined;

  constructor(read: (values: Values) => Value | undefined) {
    this.read = read;
  }
}

const placeholders =
  <Part extends ValuesOf<Part>, Values>(
    partOf: (values: Values) => Part | undefined,
  ): Param<Part> =>
  (name) =>
    sql`${new Placeholder<Values>((values) => partOf(values)?.[name])}`;

function resolveValue<Values>(parameter: unknown, values: Values): Value {
  const value = parameter instanceof Placeholder ? parameter.read(values) : parameter;
  if (typeof value === "string" || typeof value === "number" || value === null) return value;
  throw new TypeError(`A prepared statement was given a value of type ${typeof value}.`);
}
