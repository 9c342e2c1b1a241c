import { closeSync, openSync, rmSync } from "node:fs";
import { fsyncFileSync } from "../../fs/fsync-file.ts";
import { openConnection } from "./connection.ts";

/** Who works with the original: their leases and deletions under way are not the copy's. */
const OF_THE_MOMENT = ["blob_leases", "condemned", "holds"];

/**
 * Writes the catalog `from`, as of one moment, into the file `to`, which is replaced; when it
 * returns, the copy survives a power cut. It stops this thread for as long as that takes, and no
 * other process. Fault "no_space".
 */
export function copyCatalog(from: string, to: string): void {
  rmSync(to, { force: true });
  // Made first, so that nobody else on the machine may read it.
  closeSync(openSync(to, "wx", 0o600));
  const original = openConnection(from);
  try {
    original.run(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    original.close();
  }
  const copy = openConnection(to);
  try {
    // Nobody needs half a copy, so nothing guards these changes.
    copy.run("PRAGMA journal_mode = OFF");
    for (const table of OF_THE_MOMENT) copy.run(`DELETE FROM ${table}`);
  } finally {
    copy.close();
  }
  fsyncFileSync(to);
}
