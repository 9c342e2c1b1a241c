import { Pool, type PoolClient, types } from "pg";
import { sqlState } from "./postgres-fault.ts";
import { createSession, type Session } from "./session.ts";
import { createTurns } from "./turns.ts";

export interface SessionPool {
  /** Waits for a free connection, and for the server, for a bounded time. Throws the driver's errors. */
  acquire(): Promise<Session>;
  /** Resolves once everybody has given back what they hold. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** Milliseconds for a connection to become free. */
  readonly patience: number;
  /** Default: to write. Whoever is there to read cannot change anything. */
  readonly purpose?: "read" | "write";
}

/** Milliseconds for a connection to be made. */
const CONNECT_MS = 5000;
/** Milliseconds to wait where the server has given away all its connections: one of ours gets free soon. */
const CROWDED_MS = 5000;
/** The server's word for that. */
const TOO_MANY_CONNECTIONS = "53300";
/** Milliseconds that a statement may take, unless it is allowed more. */
const STATEMENT_MS = 30_000;
/** Milliseconds to wait for a row that somebody else is changing. */
const LOCK_MS = 10_000;
/** After so many milliseconds without a word in a transaction its process counts as stuck, and its locks are freed. */
const STUCK_MS = 20_000;
const IDLE_MS = 60_000;

export function createSessionPool(options: PoolOptions): SessionPool {
  const { url, size, patience, purpose = "write" } = options;
  const pool = new Pool({
    connectionString: named(url),
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    fallback_application_name: "holdall",
    keepAlive: true,
    types: { getTypeParser },
    async onConnect(client) {
      // Whoever uses a connection that breaks hears of it by the statement that fails.
      client.on("error", () => {});
      const last = purpose === "write" ? SET_APPLICATION_NAME : READ_ONLY;
      await client.query([...TIMEOUTS, KEEP_COMMITS, last].join(";"));
    },
  });
  // A connection that breaks while nobody uses it leaves the pool by itself.
  pool.on("error", () => {});

  // The pool itself has one time for both, to connect and to become free.
  const turns = createTurns(size, patience);

  async function connect(): Promise<PoolClient> {
    const end = performance.now() + CROWDED_MS;
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
      await turns.take();
      try {
        return createSession(await connect(), turns.end);
      } catch (cause) {
        turns.end();
        throw cause;
      }
    },
    close: () => pool.end(),
  };
}

/** Set here and not with the connection, since poolers refuse to connect with what they do not know. */
const TIMEOUTS = [
  `set statement_timeout = ${STATEMENT_MS}`,
  `set lock_timeout = ${LOCK_MS}`,
  `set idle_in_transaction_session_timeout = ${STUCK_MS}`,
];

/**
 * The driver takes these other modes for `verify-full`, and says at length that it will not for ever.
 * Whoever wants the laxer modes of PostgreSQL's own library asks for them with `uselibpqcompat`.
 */
const named = (url: string): string =>
  url.includes("uselibpqcompat=true")
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");

/** What is answered must survive a power cut, whatever the database is set to; stricter stays. */
const KEEP_COMMITS =
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'";

/**
 * The name of a connection that may write to a catalog, whose schema may be one of many in its
 * database. An administrator's own name for it stays.
 */
export const CONNECTION_NAME = "left('holdall ' || current_schema(), 63)";
const SET_APPLICATION_NAME = `select set_config('application_name', ${CONNECTION_NAME}, false) where current_setting('application_name') = 'holdall'`;

const READ_ONLY = "set default_transaction_read_only = on";

/** Whole numbers of 64 bits: ours are below 2 to the 53rd. The driver would give text. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format ?? "text");
