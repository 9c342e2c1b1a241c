import { DatabaseError } from "pg";
import { Fault } from "../../rules/fault.ts";
import { RetryTransaction } from "../tx.ts";

/** The fault that an error of the driver stands for; an error that is none comes back as it is. */
export function postgresFault(cause: unknown): unknown {
  if (cause instanceof Fault) return cause;
  const code = sqlState(cause);
  if (code === DISK_FULL) {
    const message = "There is not enough free space on the volume of the catalog.";
    return new Fault("no_space", message, { cause });
  }
  if (TAKEN.has(code) && isOfNames(cause)) {
    return new Fault("conflict", "Somebody else has just taken this name.", { cause });
  }
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

/** Whether two changes got in each other's way, so that the one that lost may try again. */
export function isCollision(cause: unknown): boolean {
  if (cause instanceof RetryTransaction) return true;
  const code = sqlState(cause);
  return COLLISIONS.has(code) || (TAKEN.has(code) && !isOfNames(cause));
}

/**
 * Whether the connection is of no use any more. Then a commit that was under way may have been made
 * or not; any other error of the server means that it was not.
 */
export function isLost(cause: unknown): boolean {
  if (cause instanceof Fault) return cause.kind === "unavailable";
  const code = sqlState(cause);
  if (code === "")
    return cause instanceof Error && LOST.test(`${errorCode(cause)} ${cause.message}`);
  return LOST_STATES.has(code) || code.startsWith("08");
}

/** The five characters by which PostgreSQL tells errors apart; "" for an error that is not its own. */
export function sqlState(cause: unknown): string {
  return cause instanceof DatabaseError ? (cause.code ?? "") : "";
}

const DISK_FULL = "53100";
/** Of a unique constraint, and of one that excludes equal values. */
const TAKEN = new Set(["23505", "23P01"]);
/** Serialization failure, deadlock. */
const COLLISIONS = new Set(["40001", "40P01"]);
/** Those, a lock or statement that took too long, no memory, too many connections. */
const BUSY = new Set([...COLLISIONS, "55P03", "57014", "53200", "53300"]);
/** The server shuts down, has crashed, starts, or has become a standby; a transaction that was idle for too long. */
const LOST_STATES = new Set(["57P01", "57P02", "57P03", "57P05", "25006", "25P03", "25P04"]);
/** The names of what goes wrong with a connection: the system's, and the driver's, which has no codes. */
const LOST =
  /^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN|NOTFOUND|NOENT)|^ERR_SOCKET|[Cc]onnection terminated|Connection (ended|closed)|not queryable|timeout exceeded|Cannot use a pool after/;

const NAMES = new Set([
  "folders_parent_id_name",
  "folders_key_key",
  "files_folder_id_name",
  "accounts_email_key",
]);

const isOfNames = (cause: unknown): boolean =>
  cause instanceof DatabaseError && NAMES.has(cause.constraint ?? "");

const errorCode = (cause: Error): string =>
  "code" in cause && typeof cause.code === "string" ? cause.code : "";
