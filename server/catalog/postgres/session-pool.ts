import { Pool, type PoolClient, types } from "pg";
import type { Fault } from "../../domain/faults/fault.ts";
import type { CircuitBreaker } from "../../lib/circuit-breaker.ts";
import { sleep } from "../../runtime/sleep.ts";
import { sqlState } from "./postgres-fault.ts";
import { busy, createQueue } from "./queue.ts";
import { createSession, noReply, type Session } from "./session.ts";

export interface SessionPool {
  /**
   * Waits for a free connection, and for the server, up to a timeout. Throws the driver's errors. Fault
   * "unavailable": the server is frozen, or no connection has become free.
   */
  acquire(): Promise<Session>;
  /** Whether the server is known not to reply; always false without a circuit breaker. */
  isFrozen(): boolean;
  /** Closes the connections that nothing uses now, so that others may have them. */
  closeIdle(): Promise<void>;
  /** Resolves once all sessions are released. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /**
   * How long `acquire` may take, whatever it waits for: one of these connections, a free one of the server, or
   * the server's reply.
   */
  readonly acquireTimeoutMs: number;
  /** Default: write. "read" sessions cannot write. */
  readonly purpose?: "read" | "write";
  /** Fails what waits for a frozen server. Default: every statement waits up to its timeout. */
  readonly breaker?: CircuitBreaker | undefined;
  /** Called whenever the server refuses a statement because it is read-only. */
  readonly onReadOnly?: (() => void) | undefined;
  /** Called whenever the server has no connection left for this pool. */
  readonly onCrowded?: () => void;
}

/** How long connecting may take. */
const CONNECT_MS = 5000;
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
  const {
    url,
    size,
    acquireTimeoutMs,
    purpose = "write",
    breaker,
    onReadOnly,
    onCrowded,
  } = options;
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

  const queue = createQueue({
    limit: size,
    timeoutMs: acquireTimeoutMs,
    overloadedTimeoutMs: acquireTimeoutMs / 4,
  });

  async function connect(end: number): Promise<PoolClient> {
    for (;;) {
      try {
        return await pool.connect();
      } catch (cause) {
        if (sqlState(cause) !== TOO_MANY_CONNECTIONS || performance.now() > end) throw cause;
        onCrowded?.();
      }
      await sleep(50 + Math.random() * 100);
    }
  }

  async function openSession(end: number): Promise<Session> {
    await queue.enter();
    try {
      const client = await connect(end);
      return createSession({ client, breaker, onReadOnly, onRelease: queue.leave });
    } catch (cause) {
      queue.leave();
      throw cause;
    }
  }

  /** `openSession`, until the server is frozen or the time is over. */
  async function acquire(): Promise<Session> {
    if (breaker?.isFrozen() === true) throw noReply();
    const abandoned = Promise.withResolvers<never>();
    let isAbandoned = false;
    const abandon = (fault: Fault): void => {
      isAbandoned = true;
      abandoned.reject(fault);
    };
    const timer = setTimeout(() => abandon(busy()), acquireTimeoutMs);
    const endWait = breaker?.watch(() => abandon(noReply()));
    const opening = openSession(performance.now() + acquireTimeoutMs);
    opening.then(
      (session) => {
        if (isAbandoned) session.release();
      },
      () => {},
    );
    return Promise.race([opening, abandoned.promise]).finally(() => {
      clearTimeout(timer);
      endWait?.();
    });
  }

  return {
    acquire,
    isFrozen: () => breaker?.isFrozen() ?? false,

    async closeIdle() {
      while (pool.idleCount > 0) (await pool.connect()).release(true);
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

/**
 * The driver treats these modes as `verify-full` and warns that this will change. `uselibpqcompat`
 * asks for the weaker modes of PostgreSQL's own library.
 */
export const withStrictTls = (url: string): string =>
  url.includes("uselibpqcompat=true")
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
