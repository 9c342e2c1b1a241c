import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogSuite } from "../catalog.suite.ts";
import { type CatalogFixture, makeFolders } from "../suite/catalog.fixture.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";

for (const exclusive of [true, false]) {
  catalogSuite(exclusive ? "SQLite in a server" : "SQLite in a command", async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdall-catalog-"));
    const path = join(folder, "catalog.sqlite");
    let catalog = await openSqliteCatalog({ path, exclusive });
    const fixture: CatalogFixture = {
      catalog,
      isExclusive: true,
      async reopen() {
        await catalog.close();
        catalog = await openSqliteCatalog({ path, exclusive: true });
        return catalog;
      },
      async age(seconds) {
        const database = new Database(path);
        for (const table of ["blob_leases", "holds"]) {
          database.run(`UPDATE ${table} SET heartbeat = heartbeat - ?`, [seconds * 1000]);
        }
        database.close();
      },
      makeFolders: (parent, count) => makeFolders(catalog, parent, count),
      async end() {
        await catalog.close();
        rmSync(folder, { recursive: true });
      },
    };
    return fixture;
  });
}
