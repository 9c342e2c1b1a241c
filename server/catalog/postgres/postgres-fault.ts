import { DatabaseError } from "pg";
import { Fault, ReadOnly } from "../../domain/faults/fault.ts";
import { RetryTransaction } from "../engine/tx.ts";

/** The fault for an error of the driver; other errors are returned unchanged. */
export function postgresFault(cause: unknown): unknown {
  if (cause instanceof Fault) return cause;
  const code = sqlState(cause);
  if (code === DISK_FULL) {
    const message = "There is not enough free space on the volume of the catalog.";
    return new Fault("no_space", message, { cause });
  }
  if (DUPLICATE.has(code) && isOfName(cause)) {
    return new Fault("conflict", "Another request has just taken this name.", {
      cause,
      code: "name_taken",
    });
  }
  if (isReadOnly(cause)) return readOnly(cause);
  if (BUSY.has(code) || cause instanceof RetryTransaction) {
    const message = "The catalog is busy. Please try again.";
    return new Fault("unavailable", message, { cause, retryAfter: 1 });
  }
  if (isLost(cause)) {
    const message = "The catalog's database cannot be reached. Please try again.";
    return new Fault("unavailable", message, { cause, retryAfter: 1 });
  }
  return cause;
}

/** Whether two changes collided, so that the one that lost may be retried. */
export function isCollision(cause: unknown): boolean {
  if (cause instanceof RetryTransaction) return true;
  const code = sqlState(cause);
  return COLLISIONS.has(code) || (DUPLICATE.has(code) && !isOfName(cause));
}

/**
 * Whether the connection is lost. The outcome of a pending commit is unknown then; after any other
 * error of the server it was not made.
 */
export function isLost(cause: unknown): boolean {
  if (cause instanceof Fault) return cause.kind === "unavailable";
  const code = sqlState(cause);
  if (code === "")
    return cause instanceof Error && LOST.test(`${errorCode(cause)} ${cause.message}`);
  return LOST_STATES.has(code) || code.startsWith("08");
}

/** Whether the server refuses changes. Another connection may lead to a server that accepts them. */
export const isReadOnly = (cause: unknown): boolean => sqlState(cause) === READ_ONLY;

/** The fault when the server refuses changes. */
export function readOnly(cause?: unknown): Fault {
  const message =
    "The catalog's database is read-only: it is a standby, or default_transaction_read_only is on. Please try again later.";
  return new ReadOnly(message, cause);
}

/** The SQLSTATE of an error of PostgreSQL; "" for other errors. */
export function sqlState(cause: unknown): string {
  return cause instanceof DatabaseError ? (cause.code ?? "") : "";
}

const DISK_FULL = "53100";
/** unique_violation, exclusion_violation. */
const DUPLICATE = new Set(["23505", "23P01"]);
/** serialization_failure, deadlock_detected. */
const COLLISIONS = new Set(["40001", "40P01"]);
/** Also lock and statement timeouts, out of memory, too many connections. */
const BUSY = new Set([...COLLISIONS, "55P03", "57014", "53200", "53300"]);
/** read_only_sql_transaction. */
const READ_ONLY = "25006";
/**
 * The server shuts down, has crashed, starts, or is read-only; a transaction was idle for too long; a prepared
 * statement is from before a schema migration (feature_not_supported).
 */
const LOST_STATES = new Set([
  ...["57P01", "57P02", "57P03", "57P05", "25P03", "25P04"],
  ...[READ_ONLY, "0A000"],
]);
/** Connection errors: the system's codes, and the driver's messages, which have no codes. */
const LOST =
  /^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN|NOTFOUND|NOENT)|^ERR_SOCKET|[Cc]onnection terminated|Connection (ended|closed)|not queryable|timeout exceeded|Cannot use a pool after/;

const NAMES = new Set([
  "folders_parent_id_name",
  "folders_key_key",
  "files_folder_id_name",
  "accounts_email_key",
]);

const isOfName = (cause: unknown): boolean =>
  cause instanceof DatabaseError && NAMES.has(cause.constraint ?? "");

const errorCode = (cause: Error): string =>
  "code" in cause && typeof cause.code === "string" ? cause.code : "";
