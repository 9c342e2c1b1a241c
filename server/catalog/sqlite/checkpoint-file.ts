import { existsSync } from "node:fs";
import { openConnection } from "./connection.ts";
import { explainDamage } from "./sqlite-fault.ts";

/**
 * Writes a catalog's log into its file, so that it is one file, which can be read anywhere and
 * replaced by renaming. No process may have it open. Does nothing if it does not exist.
 */
export function checkpointFile(path: string): void {
  if (!existsSync(path)) return;
  const connection = openConnection(path);
  try {
    connection.run("PRAGMA journal_mode = DELETE");
  } catch (cause) {
    throw explainDamage(cause, path);
  } finally {
    connection.close();
  }
}
