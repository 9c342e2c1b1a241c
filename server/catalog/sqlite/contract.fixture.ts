import { Database } from "bun:sqlite";
import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { type CatalogPart, catalogSuite } from "../catalog.suite.ts";
import { newId } from "../engine/ids.ts";
import type { Catalog } from "../port/catalog.ts";
import { type CatalogFixture, readFileNames, SELECT_FILE_NAMES } from "../suite/catalog.fixture.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";

/** The rows that a test may leave, in an order in which they can be deleted. */
const ALL_TABLES = [
  ...["trash_items", "trash_deletions", "trash_folders", "versions"],
  ...["files", "folders where key <> ''", "blob_leases", "condemned", "holds", "api_keys"],
  ...["uploads", "batch_members", "batch_folders", "batches"],
  ...["multipart_parts", "multipart_uploads", "links", "quotas"],
  ...["webhooks", "deliveries", "fetches"],
  ...["identities", "grants", "invites", "sessions", "passkeys", "used_challenges"],
  ...["accounts", "settings", "activity", "counters", "undo_steps", "former_keys"],
  "changes where seq < (select max(seq) from changes)",
];

/** A part of the contract, for a catalog as a server opens it and as a command does. */
export function sqliteContract(part: CatalogPart): void {
  const folder = mkdtempSync(join(tmpdir(), "holdall-catalog-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  for (const exclusive of [true, false]) openedAs(part, folder, exclusive);
}

function openedAs(part: CatalogPart, folder: string, exclusive: boolean): void {
  const path = join(folder, exclusive ? "server.sqlite" : "command.sqlite");

  function write(work: (database: Database) => void): void {
    const database = new Database(path);
    database.run("pragma busy_timeout = 5000");
    database.transaction(work)(database);
    database.close();
  }

  const run = (...statements: string[]): void =>
    write((database) => statements.forEach((each) => void database.run(each)));

  /** Open from test to test: opening one takes longer than most tests. */
  let idle: Catalog | undefined;

  catalogSuite(exclusive ? "SQLite in a server" : "SQLite in a command", part, async () => {
    let catalog = idle ?? (await openSqliteCatalog({ path, exclusive }));
    idle = undefined;
    let isReopened = false;
    const fixture: CatalogFixture = {
      catalog,
      isExclusive: true,
      async reopen() {
        await catalog.close();
        isReopened = true;
        catalog = await openSqliteCatalog({ path, exclusive: true });
        return catalog;
      },
      async age(seconds) {
        const older = `set heartbeat = heartbeat - ${seconds * 1000}`;
        run(...["blob_leases", "holds", "uploads"].map((table) => `update ${table} ${older}`));
      },
      async passTime(seconds) {
        const earlier = `set expires_at = expires_at - ${seconds * 1000}`;
        run(
          ...["files", "links"].map((table) => `update ${table} ${earlier}`),
          `update trash_deletions set deleted_at = deleted_at - ${seconds * 1000}`,
        );
      },
      async makeFolders(parent, count) {
        const { id, key } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(parent));
        const now = Date.now();
        // In one transaction: thousands of operations would take longer than most tests.
        write((database) => {
          const insert = database.query(
            `insert into folders (id, parent_id, name, key, created_at, updated_at)
            values ($id, $parent, $name, $key, $now, $now)`,
          );
          for (let at = 0; at < count; at += 1) {
            const name = `${at}`;
            insert.run({
              $id: newId(now),
              $parent: id,
              $name: name,
              $key: `${key}/${at}`,
              $now: now,
            });
          }
        });
      },
      async fileNames() {
        const database = new Database(path, { readonly: true });
        const rows = database.query(SELECT_FILE_NAMES).all();
        database.close();
        return readFileNames(rows);
      },
      async everything() {
        const database = new Database(path, { readonly: true });
        const tables: string[] = database
          .query("select name from sqlite_master where type = 'table'")
          .values()
          .flat()
          .map(String);
        const rows = tables.flatMap((table) =>
          database
            .query(`select * from ${table}`)
            .all()
            .map((row) => `${table} ${JSON.stringify(row)}`),
        );
        database.close();
        return rows.toSorted();
      },
      async end() {
        if (isReopened) await catalog.close();
        else idle = catalog;
        run(...ALL_TABLES.map((rows) => `delete from ${rows}`));
      },
    };
    return fixture;
  });

  afterAll(() => idle?.close());
}
