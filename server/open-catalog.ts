import { existsSync, readdirSync } from "node:fs";
import type { Catalog } from "./catalog/port.ts";
import { openSqliteCatalog, type SqliteCatalogOptions } from "./catalog/sqlite/sqlite-catalog.ts";
import type { Config } from "./config.ts";
import type { DataFolder } from "./data-folder.ts";

/**
 * The catalog of an instance: in its data folder, or in the database that the configuration names.
 * Error, besides the engine's own: it is to be in the one and is in the other.
 */
export async function openCatalog(
  { databaseUrl }: Pick<Config, "databaseUrl">,
  folder: DataFolder,
  options: Omit<SqliteCatalogOptions, "path">,
): Promise<Catalog> {
  if (databaseUrl === null) {
    if (!existsSync(folder.catalog) && hasBlobs(folder)) {
      throw new Error(
        `${folder.path} has files but no catalog: restore it, or set DATABASE_URL if it is in PostgreSQL.`,
      );
    }
    return openSqliteCatalog({ path: folder.catalog, ...options });
  }
  if (existsSync(folder.catalog)) {
    throw new Error(
      `DATABASE_URL is set, but ${folder.path} has a catalog of its own (${folder.catalog}): take DATABASE_URL away, or choose another DATA_PATH.`,
    );
  }
  // The driver takes memory, which whoever has no use for it should not lose.
  const { openPostgresCatalog } = await import("./catalog/postgres/postgres-catalog.ts");
  return openPostgresCatalog({
    url: databaseUrl,
    ...(options.log === undefined ? {} : { log: options.log }),
  });
}

const hasBlobs = ({ blobs }: DataFolder): boolean =>
  existsSync(blobs) && readdirSync(blobs).length > 0;
