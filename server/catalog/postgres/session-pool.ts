import { Pool, type PoolClient, types } from "pg";
import { sqlState } from "./postgres-fault.ts";
import { createQueue } from "./queue.ts";
import { createSession, type Session } from "./session.ts";

export interface SessionPool {
  /** Waits for a free connection, and for the server, up to a timeout. Throws the driver's errors. */
  acquire(): Promise<Session>;
  /** Resolves once all sessions are released. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** How long to wait for a free connection. */
  readonly acquireTimeoutMs: number;
  /** Default: write. "read" sessions cannot write. */
  readonly purpose?: "read" | "write";
}

/** How long connecting may take. */
const CONNECT_MS = 5000;
/** How long to wait when the server has no connection left: one of ours will be free soon. */
const TOO_MANY_CONNECTIONS_TIMEOUT_MS = 5000;
/** SQLSTATE too_many_connections. */
const TOO_MANY_CONNECTIONS = "53300";
/** How long a statement may take by default. */
const STATEMENT_MS = 30_000;
/** How long to wait for a row that another transaction has locked. */
const LOCK_MS = 10_000;
/** A transaction without a statement for this long is taken for stuck and rolled back, which frees its locks. */
const IDLE_IN_TRANSACTION_MS = 20_000;
const IDLE_MS = 60_000;

export function createSessionPool(options: PoolOptions): SessionPool {
  const { url, size, acquireTimeoutMs, purpose = "write" } = options;
  const pool = new Pool({
    connectionString: withStrictTls(url),
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    fallback_application_name: "holdall",
    keepAlive: true,
    types: { getTypeParser },
    async onConnect(client) {
      // When a connection in use breaks, its statement fails.
      client.on("error", () => {});
      const last = purpose === "write" ? SET_APPLICATION_NAME : READ_ONLY;
      await client.query([...TIMEOUTS, SYNCHRONOUS_COMMIT, last].join(";"));
    },
  });
  // The pool removes an idle connection that breaks.
  pool.on("error", () => {});

  // The driver's pool has only one timeout for both connecting and waiting for a free connection.
  const queue = createQueue(size, acquireTimeoutMs);

  async function connect(): Promise<PoolClient> {
    const end = performance.now() + TOO_MANY_CONNECTIONS_TIMEOUT_MS;
    for (;;) {
      try {
        return await pool.connect();
      } catch (cause) {
        if (sqlState(cause) !== TOO_MANY_CONNECTIONS || performance.now() > end) throw cause;
      }
      await Bun.sleep(50 + Math.random() * 100);
    }
  }

  return {
    async acquire() {
      await queue.enter();
      try {
        return createSession(await connect(), queue.leave);
      } catch (cause) {
        queue.leave();
        throw cause;
      }
    },
    close: () => pool.end(),
  };
}

/** Set after connecting: poolers reject unknown startup parameters. */
const TIMEOUTS = [
  `set statement_timeout = ${STATEMENT_MS}`,
  `set lock_timeout = ${LOCK_MS}`,
  `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
];

/**
 * The driver treats these modes as `verify-full` and warns that this will change. `uselibpqcompat`
 * asks for the weaker modes of PostgreSQL's own library.
 */
const withStrictTls = (url: string): string =>
  url.includes("uselibpqcompat=true")
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");

/** Answered changes must survive a power cut, whatever the database's setting; stricter settings stay. */
const SYNCHRONOUS_COMMIT =
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'";

/**
 * The application_name of a connection that may write to the catalog; a database may have several
 * catalogs in different schemas. A name set by the administrator stays.
 */
export const CONNECTION_NAME = "left('holdall ' || current_schema(), 63)";
const SET_APPLICATION_NAME = `select set_config('application_name', ${CONNECTION_NAME}, false) where current_setting('application_name') = 'holdall'`;

const READ_ONLY = "set default_transaction_read_only = on";

/** 64-bit integers as numbers, since ours are below 2^53. The driver would return text. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format ?? "text");
