import { closeSync, openSync, rmSync } from "node:fs";
import { toFailure } from "../../domain/faults/failure.ts";
import { fsyncFileSync } from "../../fs/fsync.ts";
import { openConnection } from "./connection.ts";

/* The thread that copies the catalog, so that the copy does not block the calling thread. */

addEventListener("message", (event: MessageEvent<{ from: string; to: string }>) => {
  try {
    copyCatalog(event.data.from, event.data.to);
    postMessage(null);
  } catch (cause) {
    postMessage(toFailure(cause));
  }
});

/** Leases, holds, pending deletions, uploads and batches belong to the original only. */
const TRANSIENT_TABLES = [
  ...["blob_leases", "condemned", "holds"],
  ...["uploads", "batch_members", "batch_folders", "batches"],
  ...["multipart_parts", "multipart_uploads"],
];

/**
 * Copies the catalog `from`, as of one moment, into the file `to`, which is replaced; when it
 * returns, the copy survives a power cut. Blocks this thread, and no other process. Fault
 * "no_space".
 */
function copyCatalog(from: string, to: string): void {
  rmSync(to, { force: true });
  // Created first, so that only its owner may read it.
  closeSync(openSync(to, "wx", 0o600));
  const original = openConnection(from);
  try {
    original.run(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    original.close();
  }
  const copy = openConnection(to);
  try {
    // An incomplete copy is useless, so these changes need no journal.
    copy.run("PRAGMA journal_mode = OFF");
    for (const table of TRANSIENT_TABLES) copy.run(`DELETE FROM ${table}`);
  } finally {
    copy.close();
  }
  fsyncFileSync(to);
}
