import { type Kysely, sql } from "kysely";
import { Client } from "pg";
import { Fault } from "../../domain/faults/fault.ts";
import { createCircuitBreaker, type FreezeEvent } from "../../lib/circuit-breaker.ts";
import { createThrottledReport } from "../../lib/throttled-report.ts";
import { sleep } from "../../runtime/sleep.ts";
import { createCatalog } from "../catalog.ts";
import { measureChanges } from "../engine/measure-changes.ts";
import type { Schema } from "../engine/schema.ts";
import { UNPUBLISHED } from "../move-port.ts";
import type { Catalog } from "../port/catalog.ts";
import { explainConnectError } from "./explain-connect-error.ts";
import { joinAdditions } from "./join-additions.ts";
import { createNumberChanges } from "./number-changes.ts";
import { postgresFault, readOnly } from "./postgres-fault.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { createReader } from "./reader.ts";
import { createServerClock, elapsed, SERVER_TIME, type ServerClock } from "./server-clock.ts";
import { createSessionPool, type SessionPool, withStrictTls } from "./session-pool.ts";
import { createWriter } from "./writer.ts";

export interface PostgresCatalogOptions {
  /** `postgres://user:password@host:port/database`, with any other parameters of the driver. */
  readonly url: string;
  /** "read-only", at most once a minute: the server refuses changes. */
  readonly log?: (event: Migrated | { readonly event: "read-only" }) => void;
  /**
   * Makes requests fail within seconds while the server is frozen, and gets what the log should say.
   * Default: every statement waits up to its timeout.
   */
  readonly onFreeze?: (event: FreezeEvent) => void;
  /** Connections for changes; a third as many are used for reading. */
  readonly connections?: number;
  /**
   * How long to wait for one of them before fault "unavailable". Default: 4 s with `onFreeze`, so that a request
   * is answered within 5 s, otherwise 30 s.
   */
  readonly acquireTimeoutMs?: number;
}

/** How long a start waits for a server that accepts connections but does not reply, in milliseconds. */
const START_MS = 30_000;

interface Migrated {
  readonly event: "migrated";
  readonly version: number;
}

/**
 * The catalog in a PostgreSQL database, version 15 or newer, which any number of processes may share.
 * Missing tables are created in the first schema of the search path. Error, in one line: it cannot
 * be reached or used.
 */
export async function openPostgresCatalog(options: PostgresCatalogOptions): Promise<Catalog> {
  const { url, log = () => {}, connections = 12, onFreeze } = options;
  const { acquireTimeoutMs = onFreeze === undefined ? 30_000 : 4000 } = options;
  const report = createThrottledReport(() => log({ event: "read-only" }));
  const onReadOnly = (): void => report("read-only", "");
  const breaker =
    onFreeze &&
    createCircuitBreaker({
      probe: (timeoutMs) => probeServer(url, timeoutMs),
      onEvent: onFreeze,
    });
  const pools = { url, acquireTimeoutMs, breaker, onReadOnly };
  // Where the server has few connections, one pool's idle ones must not keep the other from working.
  const changing = createSessionPool({
    ...pools,
    size: connections,
    onCrowded: () => void reading.closeIdle().catch(() => {}),
  });
  const reading: SessionPool = createSessionPool({
    ...pools,
    size: Math.max(2, Math.ceil(connections / 3)),
    onCrowded: () => void changing.closeIdle().catch(() => {}),
  });
  const clock = createServerClock();
  const reader = createReader(reading, clock.now);
  const writer = createWriter(changing, clock);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= writer
      .close()
      .then(reading.close)
      .finally(() => breaker?.close());
    return closing;
  };
  try {
    const versions = await onceItReplies(() => prepareDatabase(changing));
    for (const version of versions) log({ event: "migrated", version });
    await onceItReplies(() => readClock(reading, clock));
    await onceItReplies(() => rejectUnpublished(reader.db));
  } catch (cause) {
    await close();
    throw explainConnectError(cause, url);
  }
  const change = measureChanges(writer.change);
  const catalog = createCatalog({
    ...reader,
    change,
    numberChanges: createNumberChanges(reader, changing),
    // PostgreSQL has its own tools for checking its files.
    findDamage: async () => [],
    missingReserve: () => 0,
    catalogSize: () => sizeOfTables(reader.db),
    now: clock.now,
    ping: () => requireWritable(reading, { clock, onReadOnly }),
    close,
  });
  return joinAdditions(catalog, change);
}

/**
 * Repeats what a server that is only slow did not do in time: a server of Holdall that starts beside busy ones
 * should serve a moment later, not end. One that cannot be reached is an error at once.
 */
async function onceItReplies<T>(work: () => Promise<T>): Promise<T> {
  const end = elapsed() + START_MS;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof Fault && cause.kind === "unavailable") || elapsed() > end) throw cause;
    }
    await sleep(200);
  }
}

async function readClock(pool: SessionPool, clock: ServerClock): Promise<void> {
  const session = await pool.acquire();
  try {
    const sentAt = elapsed();
    const { rows } = await session.run({ text: `select ${SERVER_TIME} as now` });
    clock.note(rows[0].now, sentAt);
  } finally {
    session.release();
  }
}

/** Fault "unavailable": the server cannot be reached, or refuses changes. */
async function requireWritable(
  pool: SessionPool,
  { clock, onReadOnly }: { readonly clock: ServerClock; readonly onReadOnly: () => void },
): Promise<void> {
  const session = await pool.acquire().catch((cause: unknown) => {
    throw postgresFault(cause);
  });
  let isWritable: boolean | undefined;
  try {
    const sentAt = elapsed();
    const { rows } = await session.run({
      text: `select current_setting('transaction_read_only') = 'off' as writable, ${SERVER_TIME} as now from migrations limit 1`,
    });
    const [row] = rows;
    if (row !== undefined) clock.note(row.now, sentAt);
    isWritable = row?.writable;
  } catch (cause) {
    throw postgresFault(cause);
  } finally {
    // A new connection may have other settings, or lead to another server.
    if (isWritable === false) session.discard();
    else session.release();
  }
  if (isWritable !== false) return;
  onReadOnly();
  throw readOnly();
}

/** Size of Holdall's tables and indexes. Other schemas are not counted. */
async function sizeOfTables(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ size: string | number | null }>`
    select sum(pg_total_relation_size(oid)) as size from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(db);
  return Number(rows[0]?.size ?? 0);
}

async function rejectUnpublished(db: Kysely<Schema>): Promise<void> {
  const mark = await db
    .selectFrom("settings")
    .select("name")
    .where("name", "=", UNPUBLISHED)
    .executeTakeFirst();
  if (mark === undefined) return;
  throw new Error(
    "An unfinished move has left it: run `holdall migrate --to FILE` on the old instance again, which continues where it stopped.",
  );
}

/**
 * Whether the server replies within the timeout, with anything, on a new connection. A statement is
 * needed: a connection pooler accepts connections for a server that is frozen.
 */
async function probeServer(url: string, timeoutMs: number): Promise<boolean> {
  const client = new Client({
    connectionString: withStrictTls(url),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    fallback_application_name: "holdall",
  });
  client.on("error", () => {});
  const timeout = Promise.withResolvers<false>();
  const timer = setTimeout(timeout.resolve, timeoutMs, false);
  const asking = ask(client);
  const isReply = await Promise.race([asking, timeout.promise]);
  clearTimeout(timer);
  void asking.then(() => client.end().catch(() => {}));
  return isReply;
}

async function ask(client: Client): Promise<boolean> {
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch (cause) {
    // The driver's messages: "timeout expired", "Query read timeout".
    return !(cause instanceof Error && /timeout|ETIMEDOUT/.test(cause.message));
  }
}
