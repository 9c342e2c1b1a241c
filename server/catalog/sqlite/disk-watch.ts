import { createThrottledReport } from "../../lib/throttled-report.ts";
import type { Change } from "../changes.ts";
import type { CatalogEvent } from "../driver.ts";
import { type OnDiskError, openToRead } from "./connection.ts";
import { isDiskError } from "./sqlite-fault.ts";

/** Logs errors of the catalog's disk, and lets readiness know of them. */
export interface DiskWatch {
  readonly onDiskError: OnDiskError;
  /** The same changes, watched. */
  changes(change: Change): Change;
  /** Reads the file. Throws also for a while after any error of its disk. */
  ping(): void;
}

/** How long after an error the catalog counts as unavailable: as `Retry-After` says. */
const UNAVAILABLE_MS = 5000;

export function createDiskWatch(path: string, log: (event: CatalogEvent) => void): DiskWatch {
  const report = createThrottledReport((error) => log({ event: "disk error", error, file: path }));
  let last: { readonly error: Error; readonly at: number } | undefined;

  function note(error: unknown): void {
    if (!isDiskError(error)) return;
    last = { error, at: performance.now() };
    report(error.message, error.message);
  }

  return {
    onDiskError: note,
    changes: (change) => (name, input, caller) => {
      const changed = change(name, input, caller);
      changed.catch(note);
      return changed;
    },
    ping() {
      if (last !== undefined && performance.now() - last.at < UNAVAILABLE_MS) throw last.error;
      readAnew(path, note);
    },
  };
}

/** Through a connection of its own, which has no pages in its cache. */
function readAnew(path: string, onDiskError: OnDiskError): void {
  const connection = openToRead(path, onDiskError);
  try {
    connection.first("SELECT version FROM migrations LIMIT 1", []);
  } finally {
    connection.close();
  }
}
