import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Millis, Visibility } from "../../domain/records.ts";
import { openDatabase, type SqliteDatabase } from "../../runtime/sqlite.ts";

/** A file of Vaze, as its database has it. */
export interface VazeFile {
  /** Its path below the folder of the uploads. */
  readonly key: string;
  /** undefined: of the time when Vaze told types by the ending of the name. */
  readonly mimeType: string | undefined;
  readonly visibility: Visibility;
  /** The last segments of its hosting URL, which were the name alone once. */
  readonly url: string;
}

/** An API key of Vaze. Its hash is the SHA-256 of the secret in hexadecimal digits, as here. */
export interface VazeKey {
  readonly name: string;
  readonly hash: string;
  readonly createdAt: Millis;
  readonly lastUsedAt: Millis | null;
  readonly expiresAt: Millis | null;
}

/** An API key as it is in the database. */
export interface ListedVazeKey extends Omit<VazeKey, "expiresAt"> {
  /** null: never. undefined: it is no time. */
  readonly expiresAt: Millis | null | undefined;
}

/** A data folder of Vaze. */
export interface Vaze {
  /** The folder of the uploads. */
  readonly uploads: string;
  /** Paths below it, each after the folder that it is in. */
  readonly folders: readonly string[];
  readonly files: readonly VazeFile[];
  readonly keys: readonly ListedVazeKey[];
  /** null: it has no such setting, which means public. */
  readonly defaultVisibility: Visibility | null;
}

/**
 * Reads the database of a data folder, which has `db/vaze.db` and `uploads`. Nothing in the folder changes.
 * Error: it is none, or its database has other tables.
 */
export function openVaze(path: string): Vaze {
  const file = join(path, "db", "vaze.db");
  const uploads = join(path, "uploads");
  if (!existsSync(file) || !existsSync(uploads)) {
    throw new Error(`"${path}" is no data folder of Vaze: it needs db/vaze.db and uploads.`);
  }
  // SQLite writes beside a database that it reads, so it gets a copy.
  const copy = mkdtempSync(join(tmpdir(), "holdall-vaze-"));
  try {
    for (const ending of ["", "-wal"]) {
      if (existsSync(file + ending)) copyFileSync(file + ending, join(copy, `vaze.db${ending}`));
    }
    const db = openDatabase(join(copy, "vaze.db"), "write");
    try {
      return { uploads, ...readTree(db), keys: readKeys(db), defaultVisibility: readDefault(db) };
    } finally {
      db.close();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

type Row = Readonly<Record<string, unknown>>;

const rowsOf = (db: SqliteDatabase, sql: string): Row[] =>
  db
    .query(sql)
    .all()
    .map((row) => (typeof row === "object" && row !== null ? { ...row } : {}));

const columnsOf = (db: SqliteDatabase, table: string): Set<unknown> =>
  new Set(rowsOf(db, `select name from pragma_table_info('${table}')`).map(({ name }) => name));

function readTree(db: SqliteDatabase): Pick<Vaze, "folders" | "files"> {
  const columns = columnsOf(db, "files");
  if (columns.has("key")) return readKeyedTree(db);
  if (columns.has("path")) return readPathTree(db, columns.has("visibility"));
  throw new Error("The database of Vaze has no table of files with keys or paths.");
}

function readKeyedTree(db: SqliteDatabase): Pick<Vaze, "folders" | "files"> {
  const folders = rowsOf(db, "select key from folders where key <> '' order by key");
  const files = rowsOf(db, "select key, mime_type, visibility from files order by key");
  return {
    folders: folders.map(({ key }) => text(key)),
    files: files.map(({ key, mime_type: type, visibility }) => ({
      key: text(key),
      url: text(key),
      mimeType: text(type) || undefined,
      visibility: visibilityOf(visibility),
    })),
  };
}

/** Of older versions, which had absolute paths of their container, and URLs of names. */
function readPathTree(db: SqliteDatabase, hasVisibility: boolean): Pick<Vaze, "folders" | "files"> {
  const root = text(rowsOf(db, "select path from folders order by length(path) limit 1")[0]?.path);
  const below = (path: unknown): string => relative(root, text(path));
  const folders = rowsOf(db, "select path from folders order by path").map(({ path }) =>
    below(path),
  );
  const visibility = hasVisibility ? "visibility" : "'public' as visibility";
  const files = rowsOf(db, `select path, name, ${visibility} from files order by path`);
  return {
    folders: folders.filter((folder) => folder !== ""),
    files: files.map((file) => ({
      key: below(file.path),
      url: text(file.name),
      mimeType: undefined,
      visibility: visibilityOf(file.visibility),
    })),
  };
}

function readKeys(db: SqliteDatabase): ListedVazeKey[] {
  const rows = rowsOf(
    db,
    "select name, key_hash, created_at, last_used, expires_at from api_keys order by created_at",
  );
  return rows.map((row) => ({
    name: text(row.name),
    hash: text(row.key_hash),
    createdAt: timeOf(row.created_at) ?? Date.now(),
    lastUsedAt: timeOf(row.last_used) ?? null,
    expiresAt: row.expires_at === null ? null : timeOf(row.expires_at),
  }));
}

function readDefault(db: SqliteDatabase): Visibility | null {
  if (!columnsOf(db, "settings").has("default_visibility")) return null;
  const [row] = rowsOf(db, "select default_visibility as visibility from settings limit 1");
  return row === undefined ? null : visibilityOf(row.visibility);
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const visibilityOf = (value: unknown): Visibility => (value === "private" ? "private" : "public");

/**
 * Reads ISO 8601, or SQLite's `CURRENT_TIMESTAMP`, which is in UTC and does not say so. undefined: the value is no
 * time.
 */
function timeOf(value: unknown): Millis | undefined {
  const given = text(value);
  const iso = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(given)
    ? `${given.replace(" ", "T")}Z`
    : given;
  const time = Date.parse(iso);
  return Number.isNaN(time) ? undefined : time;
}
