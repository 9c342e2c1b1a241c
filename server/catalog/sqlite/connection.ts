import { closeSync, existsSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Fault } from "../../domain/faults/fault.ts";
import {
  type SqliteStatement as DriverStatement,
  openDatabase,
  type SqliteDatabase,
  type SqliteValue,
} from "../../runtime/sqlite.ts";
import type { Value } from "../engine/prepared-statement.ts";
import { isDiskError, sqliteFault } from "./sqlite-fault.ts";

/** One connection to the catalog's file. It throws faults where SQLite reports one. */
export interface SqliteConnection {
  readonly path: string;
  /** Runs statements without parameters. */
  run(sql: string): void;
  /** For Kysely: a cached statement; the same text gives the same one. */
  prepare(sql: string): SqliteStatement;
  /** The first row that a statement returns. It stays prepared for as long as the connection is open. */
  first<Row>(sql: string, values: readonly Value[]): Row | undefined;
  /** All rows, likewise. */
  all<Row>(sql: string, values: readonly Value[]): Row[];
  inTransaction(): boolean;
  close(): void;
}

export interface SqliteStatement {
  /** Whether it returns rows. */
  readonly reader: boolean;
  all(values: readonly unknown[]): unknown[];
  run(values: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint };
  iterate(values: readonly unknown[]): IterableIterator<unknown>;
}

/** The driver does not know the columns of a row: the author of the statement does. */
type DriverRow = MessageEvent["data"];

/** Statements with lists of values have any number of texts: only the latest are cached. */
const MAX_CACHED_STATEMENTS = 100;
/** How long to wait for another process. */
export const BUSY_TIMEOUT_MS = 5000;

/** Called with each error of the disk, before it is thrown. */
export type OnDiskError = (error: Fault) => void;

export function openConnection(path: string, onDiskError?: OnDiskError): SqliteConnection {
  // Created first, so that only its owner may read it: SQLite's side files get the same mode. Only if
  // it does not exist: a process that closes a file loses its locks on it, and the locks of its
  // other connections. Without them another process that opens and closes it removes the log.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const database = openDatabase(path, "write");
  const connection = connect(path, database, onDiskError);
  // A change of a million records needs hundreds of megabytes for a while: in files rather than in
  // memory, and next to the catalog rather than in a folder that may be small or read-only.
  const folder = dirname(resolve(path)).replaceAll("'", "''");
  connection.run(`PRAGMA temp_store_directory = '${folder}'`);
  return connection;
}

/** A connection to an existing file, which may be on a read-only volume. */
export function openToRead(path: string, onDiskError?: OnDiskError): SqliteConnection {
  return connect(path, openDatabase(path, "read"), onDiskError);
}

function connect(
  path: string,
  database: SqliteDatabase,
  onDiskError: OnDiskError = () => {},
): SqliteConnection {
  const cached = new Map<string, DriverStatement<unknown>>();

  const preparedStatements = new Map<string, DriverStatement<DriverRow>>();

  let closed = false;

  function translated<T>(action: () => T): T {
    if (closed) throw new Fault("unavailable", "The catalog is closed.");
    try {
      return action();
    } catch (cause) {
      const fault = sqliteFault(cause, path);
      if (isDiskError(fault)) onDiskError(fault);
      throw fault;
    }
  }

  function statement(sql: string): DriverStatement<unknown> {
    const found = cached.get(sql) ?? database.prepare<unknown, SqliteValue[]>(sql);
    // Moved to the end: the least recently used comes first.
    cached.delete(sql);
    cached.set(sql, found);
    const [oldest] = cached.keys();
    if (cached.size > MAX_CACHED_STATEMENTS && oldest !== undefined) {
      cached.get(oldest)?.finalize();
      cached.delete(oldest);
    }
    return found;
  }

  function preparedStatement(sql: string): DriverStatement<DriverRow> {
    const known = preparedStatements.get(sql);
    if (known !== undefined) return known;
    const prepared = database.prepare<DriverRow, SqliteValue[]>(sql);
    preparedStatements.set(sql, prepared);
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
    first: (sql, values) => translated(() => preparedStatement(sql).get(...values) ?? undefined),
    all: (sql, values) => translated(() => preparedStatement(sql).all(...values)),
    inTransaction: () => database.inTransaction,
    close() {
      if (closed) return;
      closed = true;
      for (const prepared of [...cached.values(), ...preparedStatements.values()])
        prepared.finalize();
      database.close(true);
    },
  };

  connection.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return connection;
}

function bindings(values: readonly unknown[]): SqliteValue[] {
  return values.map((value) => {
    if (typeof value === "string" || typeof value === "number" || value === null) return value;
    throw new TypeError(`SQLite cannot hold a value of type ${typeof value}.`);
  });
}

/**
 * Writes the log into the catalog's file and empties it, unless a reader is busy or the disk is full.
 * A commit that failed after it was written would stay behind later ones, and look like damage to
 * `findLogDamage` after a crash.
 */
export function truncateLog(connection: SqliteConnection): void {
  try {
    connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all([]);
  } catch {
    // The log stays as it is, which loses nothing.
  }
}
