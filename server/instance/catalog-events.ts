import type { CatalogEvents, CatalogLoss } from "../catalog/driver.ts";
import type { DataFolder } from "../fs/data-folder-layout.ts";
import type { Log } from "../log.ts";
import { keepDamagedFile } from "./lost-records.ts";
import type { OnError } from "./mode.ts";

const LEVELS = {
  migrated: "debug",
  "not checked": "warn",
  "disk full": "warn",
  "disk has room": "info",
  "disk error": "error",
  frozen: "error",
  answers: "info",
  "read-only": "error",
} as const;

/** Logs events of the catalog. */
export const logCatalogEvents =
  (log: Log): CatalogEvents["log"] =>
  (event) =>
    log[LEVELS[event.event]](event, MESSAGES[event.event] ?? "catalog");

const MESSAGES: { readonly [Event in keyof typeof LEVELS]?: string } = {
  "disk error": "The disk of the catalog has failed: requests that need it get 503",
  frozen: "The database does not reply: requests that need it get 503",
  answers: "The database replies again",
  "read-only":
    "The database is read-only (a standby, or default_transaction_read_only is on): changes get 503, and the readiness check fails",
};

/**
 * Logs events of the catalog, and notes lost records in the data folder. Ends the process once the
 * catalog can no longer be written.
 */
export const catalogEvents = (folder: DataFolder, log: Log): CatalogEvents => ({
  log: logCatalogEvents(log),
  onFatal(error) {
    log.fatal({ err: error }, "The catalog can no longer be written: stopping");
    process.exit(1);
  },
  onLostRecords: noteLostRecords(folder, (message) => log.error(message)),
});

/** Handles `CatalogEvents.onLostRecords`. Error: the data folder cannot be written. */
export const noteLostRecords =
  (folder: DataFolder, onError: OnError) =>
  (loss: CatalogLoss): void =>
    onError(`damage: ${keepDamagedFile(folder, loss)}`);
