import { existsSync, readdirSync } from "node:fs";
import type { Catalog } from "../catalog/port.ts";
import {
  openPrimaryCatalog,
  openSecondaryCatalog,
  openSqliteCatalog,
  type SqliteCatalogOptions,
} from "../catalog/sqlite/sqlite-catalog.ts";
import type { Writer } from "../catalog/sqlite/writer.ts";
import type { Config } from "../config/config.ts";
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
  const { openPostgresCatalog } = await import("../catalog/postgres/postgres-catalog.ts");
  return openPostgresCatalog({
    url: databaseUrl,
    ...(options.log === undefined ? {} : { log: options.log }),
  });
}

/** Error: it is to be in the one place and is in the other. */
export function refuseElsewhere(databaseUrl: string | null, folder: DataFolder): void {
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

/**
 * The catalog for the supervisor of several processes, whose own they open with `openWorkersCatalog`.
 * `change` is what they ask for then. Errors as of `openCatalog`.
 */
export async function openSupervisorsCatalog(
  { databaseUrl }: Pick<Config, "databaseUrl">,
  folder: DataFolder,
  options: Pick<SqliteCatalogOptions, "log" | "onFatal">,
): Promise<{ readonly catalog: Catalog; readonly change: Writer["change"] }> {
  if (databaseUrl === null) {
    refuseElsewhere(databaseUrl, folder);
    return openPrimaryCatalog({ path: folder.catalog, ...options });
  }
  const catalog = await openCatalog({ databaseUrl }, folder, { exclusive: true, ...options });
  const change = () => Promise.reject(new Error("Each worker writes to PostgreSQL by itself."));
  return { catalog, change };
}

/** The catalog for a worker. */
export async function openWorkersCatalog(
  { databaseUrl }: Pick<Config, "databaseUrl">,
  folder: DataFolder,
  change: Writer["change"],
): Promise<Catalog> {
  if (databaseUrl === null) return openSecondaryCatalog(folder.catalog, change);
  return openCatalog({ databaseUrl }, folder, { exclusive: false });
}

const hasBlobs = ({ blobs }: DataFolder): boolean =>
  existsSync(blobs) && readdirSync(blobs).length > 0;
