import { existsSync } from "node:fs";
import type { CatalogDriver, CatalogEvents } from "../driver.ts";
import type { Catalog } from "../port/catalog.ts";

/** The catalog in a PostgreSQL database. The database driver is loaded on first use, as it takes memory. */
export function createPostgresDriver({ url }: { readonly url: string }): CatalogDriver {
  const checkFolder: CatalogDriver["checkFolder"] = ({ path, catalog }) => {
    if (!existsSync(catalog)) return;
    throw new Error(
      `DATABASE_URL is set, but ${path} has a catalog of its own (${catalog}): remove DATABASE_URL, or choose another DATA_PATH.`,
    );
  };

  const open = async (
    folder: Parameters<CatalogDriver["open"]>[0],
    events?: Pick<CatalogEvents, "log">,
  ): Promise<Catalog> => {
    checkFolder(folder);
    const { openPostgresCatalog } = await import("./postgres-catalog.ts");
    if (events === undefined) return openPostgresCatalog({ url });
    const { log } = events;
    return openPostgresCatalog({ url, log, onFreeze: log });
  };

  return {
    isShared: true,
    checkFolder,
    requireRoot() {},
    requireCatalog: checkFolder,
    open,
    openForSupervisor: async (folder, events) => ({
      catalog: await open(folder, events),
      change: () => Promise.reject(new Error("Each worker writes to PostgreSQL by itself.")),
    }),
    openForWorker: (folder, _change, events) => open(folder, events),
    openForCommand: (folder) => open(folder),
    async openSource() {
      const { openPostgresMoveSource } = await import("./postgres-move-source.ts");
      return openPostgresMoveSource(url);
    },
    async openDestination(_folder, instanceId) {
      const { openPostgresDestination } = await import("./postgres-destination.ts");
      return openPostgresDestination(url, instanceId);
    },
    snapshots() {
      throw new Error(
        "This command takes a snapshot of the catalog, which is in PostgreSQL (DATABASE_URL): copy the database with its own tools, such as pg_dump, and then DATA_PATH.",
      );
    },
  };
}
