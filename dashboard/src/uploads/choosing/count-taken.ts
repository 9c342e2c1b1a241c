import type { Folders, Holdall } from "../../../../sdk/src/holdall.ts";
import { parentKey } from "../../text/key-parts.ts";
import { type Item, keyOf } from "../item.ts";
import { hasStatus } from "../records/find-file.ts";
import { joinCalls } from "../sending/join-calls.ts";

const PAGE = 1_000;

/** How many of the items, which are inside `top`, have names that are taken. */
export type CountTaken = (
  top: string,
  items: readonly Item[],
  signal: AbortSignal,
) => Promise<number>;

export function createCountTaken({ folders }: Holdall): CountTaken {
  // Folders that are dropped together ask for the same list, which may be long.
  const subfolders = joinCalls((key, signal) => subfolderKeys(folders, key, signal));
  return async (top, items, signal) => {
    const start = top.normalize("NFC");
    const parent = parentKey(start);
    // Asks for the folder above, because browsers write each 404 to the console.
    const exists = parent === undefined || (await subfolders(parent, signal)).has(start);
    return exists ? countInside(folders, start, items, signal) : 0;
  };
}

/** Empty if the folder does not exist. */
async function subfolderKeys(
  folders: Folders,
  key: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  try {
    const found = await folders.browse({ key }, { limit: 0, signal });
    return new Set(found.folders.map((folder) => folder.key));
  } catch (error) {
    if (hasStatus(error, 404)) return new Set();
    throw error;
  }
}

/** Looks only into folders that exist. */
async function countInside(
  folders: Folders,
  start: string,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<number> {
  const wanted = new Set(items.map(keyOf));
  const parents = parentsOf(wanted);
  let taken = 0;
  const pending = [start];
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    try {
      for await (const page of folders.pages({ key }, { limit: PAGE, signal })) {
        taken += page.files.filter((file) => wanted.has(file.key)).length;
        // Only the first page has the subfolders.
        for (const folder of page.folders) if (parents.has(folder.key)) pending.push(folder.key);
      }
    } catch (error) {
      if (!hasStatus(error, 404)) throw error;
    }
  }
  return taken;
}

/** The keys of all folders on the way to these files. */
function parentsOf(keys: Iterable<string>): Set<string> {
  const parents = new Set<string>();
  for (const key of keys) {
    for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
      const parent = key.slice(0, end);
      if (parents.has(parent)) break;
      parents.add(parent);
    }
  }
  return parents;
}
