import type { CatalogEvents } from "../catalog/driver.ts";
import type { Log } from "../log.ts";

const LEVELS = {
  migrated: "debug",
  "not checked": "warn",
  "disk full": "warn",
  "disk has room": "info",
} as const;

/** Logs what happens in the catalog. The process ends once the catalog cannot be written any more. */
export const catalogEvents = (log: Log): CatalogEvents => ({
  log: (event) => log[LEVELS[event.event]](event, "catalog"),
  onFatal(error) {
    log.fatal({ err: error }, "The catalog cannot be written any more: stopping");
    process.exit(1);
  },
});
