import type { SQLQueryBindings, Statement } from "bun:sqlite";
import { Database } from "bun:sqlite";
import { closeSync, existsSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Fault } from "../../rules/fault.ts";
import type { Value } from "../prepared-statement.ts";
import { sqliteFault } from "./sqlite-fault.ts";

/** One connection to the catalog's file. What it throws has been translated into faults. */
export interface SqliteConnection {
  readonly path: string;
  /** Runs statements without parameters. */
  run(sql: string): void;
  /** A statement that is kept: the same text gives the same one. */
  prepare(sql: string): SqliteStatement;
  /** The first row that a statement returns. It stays prepared for as long as the connection is open. */
  first<Row>(sql: string, values: readonly Value[]): Row | undefined;
  /** All rows, likewise. */
  all<Row>(sql: string, values: readonly Value[]): Row[];
  inTransaction(): boolean;
  close(): void;
}

export interface SqliteStatement {
  /** Whether it gives rows. */
  readonly reader: boolean;
  all(values: readonly unknown[]): unknown[];
  run(values: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint };
  iterate(values: readonly unknown[]): IterableIterator<unknown>;
}

/** The driver does not know what its rows are: whoever writes the statement does. */
type DriverRow = MessageEvent["data"];

/** Lists of values of any length make statements of many texts: only so many are kept. */
const KEPT_STATEMENTS = 100;
/** Milliseconds to wait for another process before giving up. */
export const BUSY_TIMEOUT = 5000;

export function openConnection(path: string): SqliteConnection {
  // Made first, so that nobody else on the machine may read it: SQLite's side files follow its mode.
  // Only where there is none: a process that closes a file gives up its locks on it, those of other
  // connections too. Without them another program that looks in and ends takes the log away.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const connection = connect(path, new Database(path, { readwrite: true, create: true }));
  // A change of a million records needs hundreds of megabytes for a while: in files rather than in
  // memory, and beside the catalog rather than in a folder that may be small or read-only.
  const folder = dirname(resolve(path)).replaceAll("'", "''");
  connection.run(`PRAGMA temp_store_directory = '${folder}'`);
  return connection;
}

/** A connection to a file that is there, and that may lie where nothing can be written. */
export function openToRead(path: string): SqliteConnection {
  return connect(path, new Database(path, { readonly: true }));
}

function connect(path: string, database: Database): SqliteConnection {
  const kept = new Map<string, Statement<unknown, SQLQueryBindings[]>>();

  const lasting = new Map<string, Statement<DriverRow, SQLQueryBindings[]>>();

  let closed = false;

  function translated<T>(action: () => T): T {
    if (closed) throw new Fault("unavailable", "The catalog is closed.");
    try {
      return action();
    } catch (cause) {
      throw sqliteFault(cause, path);
    }
  }

  function statement(sql: string): Statement<unknown, SQLQueryBindings[]> {
    const found = kept.get(sql) ?? database.prepare<unknown, SQLQueryBindings[]>(sql);
    // The most recently used stay.
    kept.delete(sql);
    kept.set(sql, found);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_STATEMENTS && oldest !== undefined) {
      kept.get(oldest)?.finalize();
      kept.delete(oldest);
    }
    return found;
  }

  function lastingStatement(sql: string): Statement<DriverRow, SQLQueryBindings[]> {
    const known = lasting.get(sql);
    if (known !== undefined) return known;
    const prepared = database.prepare<DriverRow, SQLQueryBindings[]>(sql);
    lasting.set(sql, prepared);
    return prepared;
  }

  const connection: SqliteConnection = {
    path,
    run: (sql) => translated(() => void database.run(sql)),
    prepare: (sql) =>
      translated(() => {
        const prepared = statement(sql);
        return {
          reader: prepared.columnNames.length > 0,
          all: (values) => translated(() => prepared.all(...bindings(values))),
          run: (values) => translated(() => prepared.run(...bindings(values))),
          iterate: (values) => translated(() => prepared.iterate(...bindings(values))),
        };
      }),
    first: (sql, values) => translated(() => lastingStatement(sql).get(...values) ?? undefined),
    all: (sql, values) => translated(() => lastingStatement(sql).all(...values)),
    inTransaction: () => database.inTransaction,
    close() {
      if (closed) return;
      closed = true;
      for (const prepared of [...kept.values(), ...lasting.values()]) prepared.finalize();
      database.close(true);
    },
  };

  connection.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  return connection;
}

function bindings(values: readonly unknown[]): SQLQueryBindings[] {
  return values.map((value) => {
    if (typeof value === "string" || typeof value === "number" || value === null) return value;
    throw new TypeError(`SQLite cannot hold a value of type ${typeof value}.`);
  });
}
