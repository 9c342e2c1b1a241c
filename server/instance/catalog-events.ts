import type { CatalogEvents } from "../catalog/driver.ts";
import type { Log } from "../log.ts";

const LEVELS = {
  migrated: "debug",
  "not checked": "warn",
  "disk full": "warn",
  "disk has room": "info",
} as const;

/** Logs events of the catalog. Ends the process once the catalog can no longer be written. */
export const catalogEvents = (log: Log): CatalogEvents => ({
  log: (event) => log[LEVELS[event.event]](event, "catalog"),
  onFatal(error) {
    log.fatal({ err: error }, "The catalog can no longer be written: stopping");
    process.exit(1);
  },
});
