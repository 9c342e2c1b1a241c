import { existsSync } from "node:fs";
import { refusal } from "./check-file.ts";
import { openConnection } from "./connection.ts";

/**
 * Folds a catalog's side files into it, so that it is one file that can be read anywhere and
 * replaced by renaming. For a catalog that nobody has open; where there is none, nothing happens.
 */
export function checkpointFile(path: string): void {
  if (!existsSync(path)) return;
  const connection = openConnection(path);
  try {
    connection.run("PRAGMA journal_mode = DELETE");
  } catch (cause) {
    throw refusal(cause, path);
  } finally {
    connection.close();
  }
}
