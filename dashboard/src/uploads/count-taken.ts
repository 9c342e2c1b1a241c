import type { Folders, Holdall } from "../../../sdk/src/holdall.ts";
import { parentKey } from "../text/key-parts.ts";
import { hasStatus } from "./find-file.ts";
import { type Item, keyOf } from "./item.ts";

const PAGE = 1_000;

/** How many of the items have names that are taken. Looks only into folders that exist. */
export async function countTaken(
  { folders }: Holdall,
  top: string,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<number> {
  const wanted = new Set(items.map(keyOf));
  const parents = parentsOf(wanted);
  let taken = 0;
  const start = top.normalize("NFC");
  const pending = (await doesExist(folders, start, signal)) ? [start] : [];
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

/** Asks for the folder above, because browsers write each 404 to the console. */
async function doesExist(folders: Folders, key: string, signal: AbortSignal): Promise<boolean> {
  const parent = parentKey(key);
  if (parent === undefined) return true;
  try {
    const above = await folders.browse({ key: parent }, { limit: 0, signal });
    return above.folders.some((folder) => folder.key === key);
  } catch (error) {
    if (hasStatus(error, 404)) return false;
    throw error;
  }
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
