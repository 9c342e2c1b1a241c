import type { PublishableDestination } from "../driver.ts";
import { isOfThisVersion } from "../migrations/migrate.ts";
import { columnsOf, insertText, valuesOf } from "../move/insert-text.ts";
import { readRootId } from "../move/move-source.ts";
import { createCatalogRows } from "../move/read-rows.ts";
import { type CatalogRows, PERSISTENT_TABLES, UNPUBLISHED } from "../move-port.ts";
import { explainConnectError } from "./explain-connect-error.ts";
import { inspectDatabase } from "./inspect-database.ts";
import { postgresFault } from "./postgres-fault.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { createReader } from "./reader.ts";
import type { Session } from "./session.ts";
import { createSessionPool, type SessionPool } from "./session-pool.ts";

/** How long filling a database may take in all. */
const FILL_MS = 24 * 3_600_000;
/** How long a batch may take, on a slow disk. */
const BATCH_MS = 600_000;

/**
 * The catalog of an instance that is moved here. `of` is the id of its root folder.
 * Writes nothing before `begin`. Error, in one line: it cannot be used, or holds another instance.
 */
export async function openPostgresDestination(
  url: string,
  of: string,
): Promise<PublishableDestination> {
  const pool = createSessionPool({ url, size: 3, acquireTimeoutMs: 30_000 });
  const { db } = createReader(pool);
  let lock: Session | undefined;

  async function readState(): Promise<PublishableDestination["state"]> {
    if (!(await inspectDatabase(pool)).tables) return "empty";
    if (!(await isOfThisVersion(db))) {
      throw new Error("It holds a catalog already: choose an empty database or schema.");
    }
    const mark = await db
      .selectFrom("settings")
      .select("value")
      .where("name", "=", UNPUBLISHED)
      .executeTakeFirst();
    if ((mark?.value ?? (await readRootId(db))) === of)
      return mark === undefined ? "published" : "unfinished";
    throw new Error("It holds another instance of Holdall: choose an empty database or schema.");
  }

  try {
    const state = await readState();
    return {
      state,
      async begin() {
        await prepareDatabase(pool, async (tables) => {
          await tables.insertInto("settings").values({ name: UNPUBLISHED, value: of }).execute();
        });
        // Until it is closed. When the process is killed, its connection closes and releases the lock.
        lock ??= await pool.acquire();
        const { rows } = await lock.run(LOCK_DESTINATION);
        if (rows[0].locked !== true) throw new Error(LOCKED_BY_OTHER);
        if (state !== "published" && (await readState()) === "published")
          throw new Error(PUBLISHED);
      },
      fill: (source) =>
        fillDatabase(pool, source).catch((cause: unknown) => {
          throw postgresFault(cause);
        }),
      ...createCatalogRows(db),
      publish: () => run(pool, `delete from settings where name = '${UNPUBLISHED}'`),
      async close() {
        lock?.release();
        lock = undefined;
        await pool.close();
      },
    };
  } catch (cause) {
    await pool.close();
    throw explainConnectError(cause, url);
  }
}

const LOCK_DESTINATION = {
  text: "select pg_try_advisory_lock(hashtextextended('holdall filling ' || current_schema(), 0)) as locked",
};
const LOCKED_BY_OTHER = "Another move is filling the new database: wait until it has finished.";
const PUBLISHED =
  "Another move of this instance has just filled the new database: choose an empty database or schema.";

async function fillDatabase(pool: SessionPool, source: CatalogRows): Promise<void> {
  const session = await pool.acquire();
  try {
    await session.runAll([
      "begin isolation level read committed",
      `set local statement_timeout = ${BATCH_MS}`,
      `set local idle_in_transaction_session_timeout = ${FILL_MS}`,
    ]);
    // If the connection with the lock was lost, another process may have published the catalog.
    const text = "select value from settings where name = $1 for update";
    const { rows } = await session.run({ text, values: [UNPUBLISHED] });
    if (rows.length === 0) throw new Error(PUBLISHED);
    await session.run({ text: `truncate ${ALL_TABLES.join(", ")}` }, BATCH_MS);
    await session.run({ text: "delete from settings where name <> $1", values: [UNPUBLISHED] });
    for (const table of PERSISTENT_TABLES) {
      for await (const rows of source.rows(table)) {
        const columns = columnsOf(rows);
        const text = insertText(table, columns, rows.length, (index) => `$${index}`);
        const values = rows.flatMap((row) => valuesOf(row, columns));
        await session.run({ text, values }, BATCH_MS);
      }
    }
    await session.run({ text: "commit" }, BATCH_MS);
    await analyze(session);
  } catch (cause) {
    await session.run({ text: "rollback" }).catch(() => {});
    throw cause;
  } finally {
    session.release();
  }
}

const ALL_TABLES = [
  ...PERSISTENT_TABLES.filter((table) => table !== "settings"),
  "blob_leases",
  "condemned",
  "holds",
  "uploads",
  "batches",
  "batch_members",
  "batch_folders",
  "multipart_uploads",
  "multipart_parts",
];

/** Updates the planner's statistics for the first lookups; the server does so by itself later. */
async function analyze(session: Session): Promise<void> {
  for (const table of PERSISTENT_TABLES) {
    await session.run({ text: `analyze ${table}` }, BATCH_MS).catch(() => {});
  }
}

async function run(pool: SessionPool, text: string): Promise<void> {
  const session = await pool.acquire();
  try {
    await session.run({ text });
  } finally {
    session.release();
  }
}
