import { parseKey } from "../../rules/name.ts";
import { type CatalogPart, catalogSuite } from "../catalog.suite.ts";
import { newId } from "../ids.ts";
import { type CatalogFixture, readFileNames, SELECT_FILE_NAMES } from "../suite/catalog.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer } from "./server.fixture.ts";

/** The rows that a test may leave, in an order in which they can be deleted. */
const ALL_TABLES = [
  ...["trash_items", "trash_deletions", "versions"],
  ...["files", "folders where key <> ''", "blob_leases", "condemned", "holds", "api_keys"],
  ...["uploads", "batch_members", "batch_folders", "batches"],
  ...["multipart_parts", "multipart_uploads", "links"],
  ...["sessions", "passkeys", "used_challenges", "key_traffic"],
  ...["accounts", "settings", "activity", "traffic", "traffic_errors", "file_traffic"],
  "changes where seq is null or seq < (select max(seq) from changes)",
];

/** Tests must not fail on a slow machine. */
const ACQUIRE_TIMEOUT_MS = 600_000;

/** A part of the contract, in a schema of its own. */
export function postgresContract(part: CatalogPart): void {
  let schema: Promise<string> | undefined;

  catalogSuite("PostgreSQL", part, async () => {
    const server = await postgresServer();
    schema ??= server.fresh();
    const url = await schema;
    let catalog = await openPostgresCatalog({ url, acquireTimeoutMs: ACQUIRE_TIMEOUT_MS });
    const fixture: CatalogFixture = {
      catalog,
      isExclusive: false,
      async reopen() {
        await catalog.close();
        catalog = await openPostgresCatalog({ url, acquireTimeoutMs: ACQUIRE_TIMEOUT_MS });
        return catalog;
      },
      async age(seconds) {
        for (const table of ["blob_leases", "holds", "uploads"]) {
          await server.run(url, `update ${table} set heartbeat = heartbeat - $1`, [seconds * 1000]);
        }
      },
      async makeFolders(parent, count) {
        const { id, key } = await catalog.createFolder(parseKey(parent));
        const now = Date.now();
        const names = Array.from({ length: count }, (_, index) => `${index}`);
        await server.run(
          url,
          `insert into folders (id, parent_id, name, key, created_at, updated_at)
          select id, $1, name, $2::text || '/' || name, $3, $3
          from unnest($4::text[], $5::text[]) as new (id, name)`,
          [id, key, now, names.map(() => newId(now)), names],
        );
        // As PostgreSQL does within a minute after many changes: until then its plans are for few rows.
        await server.run(url, "analyze folders, files");
      },
      fileNames: async () => readFileNames(await server.run(url, SELECT_FILE_NAMES)),
      async end() {
        await catalog.close();
        // A new schema would take several times as long.
        await server.run(url, ALL_TABLES.map((rows) => `delete from ${rows}`).join(";"));
      },
    };
    return fixture;
  });
}
