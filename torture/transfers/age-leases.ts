import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** As if a minute had passed for what dead commands had leased or held: it has lapsed. */
export function ageLeases(dataPath: string): void {
  const path = join(dataPath, "catalog.sqlite");
  if (!existsSync(path)) return;
  const catalog = new Database(path, { readwrite: true });
  try {
    catalog.run("PRAGMA busy_timeout = 5000");
    for (const table of ["blob_leases", "holds"]) {
      const isThere = catalog.query("SELECT 1 FROM sqlite_master WHERE name = ?").get(table);
      if (isThere === null) continue;
      catalog.run(`UPDATE ${table} SET heartbeat = heartbeat - 60000 WHERE owner LIKE 'beside %'`);
    }
  } finally {
    catalog.close();
  }
}
