import { ReadOnly } from "../domain/faults/fault.ts";
import type { Log } from "../log.ts";

/**
 * Logs failures of work that no response waits for. While the catalog is read-only, all such work fails, and one line
 * for all of it says so each minute (see `logCatalogEvents`): these failures are only logged for debugging.
 */
export const createLogFailure =
  (log: Log) =>
  (message: string, cause?: unknown, requestId?: string): void =>
    log[cause instanceof ReadOnly ? "debug" : "error"]({ err: cause, requestId }, message);
