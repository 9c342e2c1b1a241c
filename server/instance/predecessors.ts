import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "../catalog/port/catalog.ts";
import type { DataFolder } from "../fs/data-folder-layout.ts";

/*
 * Leases and claims in a shared catalog belong to a process, and end some seconds after its death. A server that
 * starts on the data folder of a dead one knows that its processes are dead, so it need not wait.
 */

const fileOf = ({ path }: DataFolder): string => join(path, "owners");

/** Notes that a process with this data folder owns leases and claims under `owner`. */
export function noteOwner(folder: DataFolder, owner: string): void {
  appendFileSync(fileOf(folder), `${owner}\n`);
}

/** Ends the leases and claims of the processes that used the folder, which this process has locked. */
export async function releasePredecessors(
  folder: DataFolder,
  catalog: Pick<Catalog, "releaseLeasesOf">,
): Promise<void> {
  const file = fileOf(folder);
  if (!existsSync(file)) return;
  for (const owner of readFileSync(file, "utf8").split("\n")) {
    // A killed process may have left half a line, which names nobody.
    if (owner !== "") await catalog.releaseLeasesOf(owner);
  }
  rmSync(file);
}
