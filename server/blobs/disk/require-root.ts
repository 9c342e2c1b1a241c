import { existsSync } from "node:fs";
import { Fault } from "../../domain/fault.ts";

/**
 * Called before a file counts as absent. Fault "unavailable": the folder of all blobs is absent, too, so
 * its volume is not mounted, and nothing is known about the file.
 */
export function requireRoot(root: string): void {
  if (existsSync(root)) return;
  throw new Fault("unavailable", "The volume of the files is not mounted. Try again later.", {
    cause: new Error(`${root} does not exist.`),
    retryAfter: 5,
  });
}
