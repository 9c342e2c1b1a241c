import { type Kysely, sql } from "kysely";
import { createCircuitBreaker, type FreezeEvent } from "../../rules/circuit-breaker.ts";
import { createCatalog } from "../catalog.ts";
import { UNPUBLISHED } from "../move-port.ts";
import type { Catalog } from "../port/catalog.ts";
import type { Schema } from "../schema.ts";
import { explainConnectError } from "./explain-connect-error.ts";
import { joinAdditions } from "./join-additions.ts";
import { createNumberChanges } from "./number-changes.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { probeServer } from "./probe-server.ts";
import { createReader } from "./reader.ts";
import { createSessionPool } from "./session-pool.ts";
import { createWriter } from "./writer.ts";

export interface PostgresCatalogOptions {
  /** `postgres://user:password@host:port/database`, with any other parameters of the driver. */
  readonly url: string;
  readonly log?: (event: { readonly event: "migrated"; readonly version: number }) => void;
  /**
   * Makes requests fail within seconds while the server is frozen, and gets what the log should say.
   * Default: every statement waits up to its timeout.
   */
  readonly onFreeze?: (event: FreezeEvent) => void;
  /** Connections for changes; a third as many are used for reading. */
  readonly connections?: number;
  /** How long to wait for one of them before fault "unavailable". */
  readonly acquireTimeoutMs?: number;
}

/**
 * The catalog in a PostgreSQL database, version 15 or newer, which any number of processes may share.
 * Missing tables are created in the first schema of the search path. Error, in one line: it cannot
 * be reached or used.
 */
export async function openPostgresCatalog(options: PostgresCatalogOptions): Promise<Catalog> {
  const { url, log = () => {}, connections = 12, acquireTimeoutMs = 30_000 } = options;
  const { onFreeze } = options;
  const breaker =
    onFreeze &&
    createCircuitBreaker({
      probe: (timeoutMs) => probeServer(url, timeoutMs),
      onEvent: onFreeze,
    });
  const changing = createSessionPool({ url, size: connections, acquireTimeoutMs, breaker });
  const reading = createSessionPool({
    ...{ url, acquireTimeoutMs, breaker },
    size: Math.max(2, Math.ceil(connections / 3)),
  });
  const reader = createReader(reading);
  const writer = createWriter(changing);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= writer
      .close()
      .then(reading.close)
      .finally(() => breaker?.close());
    return closing;
  };
  try {
    const versions = await prepareDatabase(changing);
    for (const version of versions) log({ event: "migrated", version });
    await rejectUnpublished(reader.db);
  } catch (cause) {
    await close();
    throw explainConnectError(cause, url);
  }
  const catalog = createCatalog({
    ...reader,
    change: writer.change,
    numberChanges: createNumberChanges(reader, changing),
    // PostgreSQL has its own tools for checking its files.
    findDamage: async () => [],
    missingReserve: () => 0,
    catalogSize: () => sizeOfTables(reader.db),
    async ping() {
      await reader.db.selectFrom("migrations").select("version").limit(1).execute();
    },
    close,
  });
  return joinAdditions(catalog, writer.change);
}

/** With indexes. Other schemas of the database may belong to others. */
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
    "An unfinished move has left it: run holdall migrate again, which continues where it stopped.",
  );
}
