import { afterAll } from "bun:test";
import { Client } from "pg";
import { z } from "zod";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { type CatalogPart, catalogSuite } from "../catalog.suite.ts";
import { newId } from "../engine/ids.ts";
import type { Catalog } from "../port/catalog.ts";
import { type CatalogFixture, readFileNames, SELECT_FILE_NAMES } from "../suite/catalog.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer } from "./server.fixture.ts";

/** The rows that a test may leave, in an order in which they can be deleted. */
const ALL_TABLES = [
  ...["trash_items", "trash_deletions", "trash_folders", "versions"],
  ...["files", "folders where key <> ''", "blob_leases", "condemned", "holds", "api_keys"],
  ...["uploads", "batch_members", "batch_folders", "batches"],
  ...["multipart_parts", "multipart_uploads", "links", "quotas"],
  ...["webhooks", "deliveries", "fetches"],
  ...["identities", "grants", "invites", "sessions", "passkeys", "used_challenges"],
  ...["accounts", "settings", "activity", "counters", "undo_steps", "former_keys"],
  "changes where seq is null or seq < (select max(seq) from changes)",
];

/** Tests must not fail on a slow machine. */
const ACQUIRE_TIMEOUT_MS = 600_000;

/**
 * A part of the contract, in a schema of its own. Its tests share one catalog, unless one closes it,
 * and one client: connections cost the server more than most tests.
 */
export function postgresContract(part: CatalogPart): void {
  let schema: Promise<Schema> | undefined;
  let open: Catalog | undefined;

  catalogSuite("PostgreSQL", part, async () => {
    schema ??= createSchema();
    const { url, run } = await schema;
    const openCatalog = async (): Promise<Catalog> => {
      open = await openPostgresCatalog({ url, acquireTimeoutMs: ACQUIRE_TIMEOUT_MS });
      return open;
    };
    let catalog = open ?? (await openCatalog());
    const fixture: CatalogFixture = {
      catalog,
      isExclusive: false,
      async reopen() {
        await catalog.close();
        catalog = await openCatalog();
        return catalog;
      },
      async age(seconds) {
        for (const table of ["blob_leases", "holds", "uploads"]) {
          await run(`update ${table} set heartbeat = heartbeat - $1`, [seconds * 1000]);
        }
      },
      async passTime(seconds) {
        for (const table of ["files", "links"]) {
          await run(`update ${table} set expires_at = expires_at - $1`, [seconds * 1000]);
        }
        await run("update trash_deletions set deleted_at = deleted_at - $1", [seconds * 1000]);
      },
      async makeFolders(parent, count) {
        const { id, key } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(parent));
        const now = Date.now();
        const names = Array.from({ length: count }, (_, index) => `${index}`);
        await run(
          `insert into folders (id, parent_id, name, key, created_at, updated_at)
          select id, $1, name, $2::text || '/' || name, $3, $3
          from unnest($4::text[], $5::text[]) as new (id, name)`,
          [id, key, now, names.map(() => newId(now)), names],
        );
        // As PostgreSQL does within a minute after many changes: until then its plans are for few rows.
        await run("analyze folders, files");
      },
      fileNames: async () => readFileNames(await run(SELECT_FILE_NAMES)),
      async everything() {
        const tables = await run(
          "select table_name as name from information_schema.tables where table_schema = current_schema()",
        );
        const rows: string[] = [];
        for (const { name } of z.array(z.object({ name: z.string() })).parse(tables)) {
          const found = await run(`select * from ${name}`);
          rows.push(...found.map((row) => `${name} ${JSON.stringify(row)}`));
        }
        return rows.toSorted();
      },
      async end() {
        // A new schema would take several times as long.
        await run(ALL_TABLES.map((rows) => `delete from ${rows}`).join(";"));
      },
    };
    return fixture;
  });

  afterAll(async () => {
    await open?.close();
    await (await schema)?.close();
  });
}

interface Schema {
  readonly url: string;
  run(text: string, values?: unknown[]): Promise<unknown[]>;
  close(): Promise<void>;
}

async function createSchema(): Promise<Schema> {
  const url = await (await postgresServer()).fresh();
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    url,
    run: async (text, values) => (await client.query(text, values)).rows,
    close: () => client.end(),
  };
}
