import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../domain/faults/fault.ts";
import { isSqliteError, type SqliteError } from "../../runtime/sqlite.ts";

/** With less free space than this, a failed write is taken for a full disk. */
const FULL_DISK_BYTES = 1024 * 1024;

/** The error of SQLite that says that the file is damaged; undefined for other errors. */
export function damageIn(error: unknown): SqliteError | undefined {
  const cause = sqliteErrorIn(error);
  if (cause === undefined) return undefined;
  // The file's header names a format that no version of SQLite has written.
  if (cause.message === "unsupported file format" || isOtherSchema(cause)) return cause;
  return DAMAGED.test(cause.code ?? "") ? cause : undefined;
}

/** The error itself, or the one among its causes. */
function sqliteErrorIn(error: unknown): SqliteError | undefined {
  if (isSqliteError(error)) return error;
  return error instanceof Error ? sqliteErrorIn(error.cause) : undefined;
}

/** A name in the stored schema is not what it was: one bit of it may have changed. SQLite takes any name. */
const isOtherSchema = ({ code, message }: SqliteError): boolean =>
  code === "SQLITE_ERROR" &&
  /^no such (table|column): | has no column named |^(table|index) .+ already exists$/.test(message);

/** Adds the name of the file to an error of SQLite that says that it is damaged. Other errors stay as they are. */
export function explainDamage(cause: unknown, path: string): unknown {
  const damage = damageIn(cause);
  return damage === undefined ? cause : damaged(path, damage.message, damage);
}

export function damaged(path: string, finding: string, cause?: unknown): Error {
  return new Error(
    `The catalog ${path} is damaged (${finding}). Restore it from a backup; nothing has been changed.`,
    { cause },
  );
}

/** The fault for an error of SQLite; other errors are returned unchanged. */
export function sqliteFault(cause: unknown, path: string): unknown {
  if (!isSqliteError(cause)) return cause;
  const code = cause.code ?? "";
  if (code === "SQLITE_FULL" || (isFailedWrite(cause) && isFull(path))) {
    return noSpace(cause);
  }
  if (BUSY.test(code)) {
    return new Fault("unavailable", "The catalog is busy. Please try again.", {
      cause,
      retryAfter: 1,
    });
  }
  if (code === "SQLITE_CANTOPEN") {
    const message = "The catalog's files cannot be opened now. Please try again.";
    return new Fault("unavailable", message, { cause, retryAfter: 1 });
  }
  if (code.startsWith("SQLITE_IOERR")) {
    return diskError(`${DISK_ERROR} (${code}). Try again later.`, cause, path);
  }
  // A read that the disk refuses (EIO) is reported like a damaged page.
  if (DAMAGED.test(code)) {
    const finding = `${code}: ${cause.message}`;
    return diskError(
      `${DISK_ERROR}, or the catalog is damaged (${finding}). Try again later.`,
      cause,
      path,
    );
  }
  return explainDamage(cause, path);
}

const DAMAGED = /^SQLITE_(CORRUPT|NOTADB$)/;

const DISK_ERROR = "The disk of the catalog has reported an error";

/** The message goes to clients, so only the cause names the file: commands print it. */
function diskError(message: string, error: SqliteError, path: string): Fault {
  const advice = `the file is ${path}; if it fails again, restore it from a backup`;
  const cause = new Error(advice, { cause: error });
  return new Fault("unavailable", message, { cause, retryAfter: 5 });
}

/**
 * Whether it is the fault for an error of the disk or a damaged file. It may come from another thread
 * or process.
 */
export function isDiskError(error: unknown): error is Fault {
  return error instanceof Fault && error.message.startsWith(DISK_ERROR);
}

const BUSY = /^SQLITE_(BUSY|LOCKED)/;

/** Whether a connection threw this because another one blocked it. */
export function isBusy(error: unknown): boolean {
  return BUSY.test(sqliteErrorIn(error)?.code ?? "");
}

export function noSpace(cause?: unknown): Fault {
  const message = "There is not enough free space on the volume of the catalog.";
  return new Fault("no_space", message, { cause });
}

/**
 * Whether an fsync has failed. It must not be retried: the system may have dropped the pages that it
 * could not write, and the retry would succeed without having stored them.
 */
function isFailedSync(error: unknown): boolean {
  if (!isSqliteError(error)) return false;
  return error.code === "SQLITE_IOERR_FSYNC" || error.code === "SQLITE_IOERR_DIR_FSYNC";
}

/**
 * Whether a commit that failed in this way may be in the log all the same: its fsync failed, or the
 * step after it, the entry in the log's index, for which there may be no space.
 */
export function mayBeKept(error: unknown): boolean {
  const cause = sqliteErrorIn(error);
  return isFailedSync(cause) || /^SQLITE_IOERR_SHM/.test(cause?.code ?? "");
}

/**
 * SQLite reports a full disk by other codes too when it grows or opens its side files. Not when an
 * fsync fails: the change may have been stored then, so it must not be reported as refused.
 */
function isFailedWrite(error: SqliteError): boolean {
  if (isFailedSync(error)) return false;
  return /^SQLITE_(IOERR|CANTOPEN$)/.test(error.code ?? "");
}

function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < FULL_DISK_BYTES;
  } catch {
    return false;
  }
}
