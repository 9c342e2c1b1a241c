import { existsSync } from "node:fs";
import { catalogDraftOf, hasBlobs } from "../../fs/data-folder-layout.ts";
import type { CatalogDriver } from "../driver.ts";
import { inspectLog, inspectLogUnlessServed } from "./inspect-log.ts";
import { requireAccess, requireRoot } from "./require-root.ts";
import { openSnapshot, takeSnapshot } from "./snapshots.ts";
import { openPrimaryCatalog, openSecondaryCatalog, openSqliteCatalog } from "./sqlite-catalog.ts";
import { createSqliteDestination } from "./sqlite-destination.ts";
import { openSqliteMoveSource } from "./sqlite-move-source.ts";

/** The catalog in an SQLite file in the data folder. */
export function createSqliteDriver(_settings: Readonly<Record<never, never>>): CatalogDriver {
  const checkFolder: CatalogDriver["checkFolder"] = (folder) => {
    if (existsSync(folder.catalog)) return requireAccess(folder.catalog);
    if (!hasBlobs(folder)) return;
    throw new Error(
      `${folder.path} has files but no catalog: restore it, or set DATABASE_URL if it is in PostgreSQL.`,
    );
  };

  return {
    isShared: false,
    checkFolder,
    requireRoot,
    requireCatalog(folder) {
      checkFolder(folder);
      if (existsSync(folder.catalog)) return;
      throw new Error(`${folder.path} has no catalog: restore it.`);
    },
    async open(folder, events) {
      checkFolder(folder);
      await inspectLog(folder.catalog, events.onLostRecords);
      return openSqliteCatalog({ path: folder.catalog, exclusive: true, ...events });
    },
    async openForSupervisor(folder, events) {
      checkFolder(folder);
      await inspectLog(folder.catalog, events.onLostRecords);
      return openPrimaryCatalog({ path: folder.catalog, ...events });
    },
    openForWorker: (folder, change, { log }) => openSecondaryCatalog(folder.catalog, change, log),
    async openForCommand(folder, { onLostRecords }) {
      checkFolder(folder);
      await inspectLogUnlessServed(folder, onLostRecords);
      return openSqliteCatalog({ path: folder.catalog, exclusive: false });
    },
    openSource: (folder, repair) => openSqliteMoveSource(folder.catalog, repair),
    // The file gets into its place, with the rest of the data folder, by being renamed.
    openDestination: async (folder) => ({
      ...createSqliteDestination(catalogDraftOf(folder)),
      state: "empty",
      begin: async () => {},
      publish: async () => {},
    }),
    snapshots: () => ({
      take: (folder, file) => takeSnapshot(folder.catalog, file),
      open: openSnapshot,
    }),
  };
}
