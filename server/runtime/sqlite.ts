import { Database, SQLiteError, type SQLQueryBindings, type Statement } from "bun:sqlite";

export type SqliteDatabase = Database;
export type SqliteError = SQLiteError;
export type SqliteValue = SQLQueryBindings;
export type SqliteStatement<Row> = Statement<Row, SQLQueryBindings[]>;

/** Creates the file if it does not exist, unless it is only to be read. */
export const openDatabase = (path: string, mode: "read" | "write"): SqliteDatabase =>
  new Database(path, mode === "read" ? { readonly: true } : { readwrite: true, create: true });

export const isSqliteError = (error: unknown): error is SqliteError => error instanceof SQLiteError;
