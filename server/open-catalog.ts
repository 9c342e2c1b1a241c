import { existsSync, readdirSync } from "node:fs";
import type { Catalog } from "./catalog/port.ts";
import {
  type CatalogKeeper,
  keepSharedCatalog,
  openSharedCatalog,
} from "./catalog/sqlite/shared-catalog.ts";
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
  refuseElsewhere(databaseUrl, folder);
  if (databaseUrl === null) return openSqliteCatalog({ path: folder.catalog, ...options });
  // The driver takes memory, which whoever has no use for it should not lose.
  const { openPostgresCatalog } = await import("./catalog/postgres/postgres-catalog.ts");
  return openPostgresCatalog({
    url: databaseUrl,
    ...(options.log === undefined ? {} : { log: options.log }),
  });
}

/** Error: it is to be in the one place and is in the other. */
function refuseElsewhere(databaseUrl: string | null, folder: DataFolder): void {
  const isHere = existsSync(folder.catalog);
  if (databaseUrl === null && !isHere && hasBlobs(folder)) {
    throw new Error(
      `${folder.path} has files but no catalog: restore it, or set DATABASE_URL if it is in PostgreSQL.`,
    );
  }
  if (databaseUrl !== null && isHere) {
    throw new Error(
      `DATABASE_URL is set, but ${folder.path} has a catalog of its own (${folder.catalog}): take DATABASE_URL away, or choose another DATA_PATH.`,
    );
  }
}

/** The same for a worker, whose supervisor keeps it with `keepCatalog`. */
export async function openWorkersCatalog(
  { databaseUrl }: Pick<Config, "databaseUrl">,
  folder: DataFolder,
  onFatal: (error: Error) => void,
): Promise<Catalog> {
  if (databaseUrl === null) return openSharedCatalog({ path: folder.catalog, onFatal });
  return openCatalog({ databaseUrl }, folder, { exclusive: false });
}

/**
 * Makes an instance's catalog ready for workers that are about to share it, and keeps what they
 * cannot keep each for itself. Errors as of `openCatalog`.
 */
export async function keepCatalog(
  { databaseUrl }: Pick<Config, "databaseUrl">,
  folder: DataFolder,
  log: NonNullable<SqliteCatalogOptions["log"]>,
): Promise<CatalogKeeper> {
  refuseElsewhere(databaseUrl, folder);
  if (databaseUrl === null) return keepSharedCatalog({ path: folder.catalog, log });
  await (await openCatalog({ databaseUrl }, folder, { exclusive: true, log })).close();
  return { close: async () => {} };
}

const hasBlobs = ({ blobs }: DataFolder): boolean =>
  existsSync(blobs) && readdirSync(blobs).length > 0;
