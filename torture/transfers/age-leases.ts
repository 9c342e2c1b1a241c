import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CLI_LEASE_PREFIX } from "../../server/catalog/port/blob-ledger.ts";

/** Makes the leases and holds of dead commands a minute older, so that they have expired. */
export function ageLeases(dataPath: string): void {
  const path = join(dataPath, "catalog.sqlite");
  if (!existsSync(path)) return;
  const catalog = new Database(path, { readwrite: true });
  try {
    catalog.run("PRAGMA busy_timeout = 5000");
    for (const table of ["blob_leases", "holds"]) {
      const isThere = catalog.query("SELECT 1 FROM sqlite_master WHERE name = ?").get(table);
      if (isThere === null) continue;
      catalog.run(
        `UPDATE ${table} SET heartbeat = heartbeat - 60000 WHERE owner LIKE '${CLI_LEASE_PREFIX}%'`,
      );
    }
  } finally {
    catalog.close();
  }
}
