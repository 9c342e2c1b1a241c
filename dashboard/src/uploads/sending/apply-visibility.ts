import type { Holdall } from "../../../../sdk/src/holdall.ts";
import { type Item, keyOf } from "../item.ts";
import { change } from "../queue.ts";
import { hasStatus } from "../records/find-file.ts";
import type { Work } from "../work.ts";

/** A request takes a fraction of a second. */
export const CHANGED_AT_ONCE = 1_000;

/**
 * Gives stored files the visibility that the user has chosen since they were sent. Returns whether there
 * were any. Folders whose taken names were skipped stay as they are: which of the files were there before is
 * not known.
 */
export async function applyVisibility(work: Work, client: Holdall): Promise<boolean> {
  const { visibility } = work;
  if (visibility === undefined) return false;
  const isMeant = (item: Item): boolean => {
    const named = item.visibility ?? work.group(item.group)?.visibility;
    return isStoredFile(work, item) && named !== visibility;
  };
  const items = work.items.filter(isMeant);
  for (const [folder, stored] of Map.groupBy(items, (item) => item.folder)) {
    const keys = new Set(stored.map((item) => item.storedKey ?? keyOf(item)));
    const ids = (await filesIn(client, folder))
      .filter((file) => keys.has(file.key) && file.visibility !== visibility)
      .map(({ id }) => id);
    for (let at = 0; at < ids.length; at += CHANGED_AT_ONCE) {
      await client.files.updateMany(ids.slice(at, at + CHANGED_AT_ONCE), { visibility });
    }
  }
  const done = new Set(items.map(({ id }) => id));
  work.items = change(
    work.items,
    ({ id }) => done.has(id),
    (item) => ({ ...item, visibility }),
  );
  work.publish();
  return items.length > 0;
}

/** Whether the item has stored its file, and no file that was there before was skipped for it. */
export function isStoredFile(work: Work, item: Item): boolean {
  const group = work.group(item.group);
  const isStored = group === undefined || (group.state === "done" && group.skipped === 0);
  const isWithGroup = item.group === undefined || group !== undefined;
  return item.state === "done" && isStored && isWithGroup;
}

/** None if the folder has been deleted since. */
export async function filesIn(client: Holdall, key: string) {
  try {
    return (await client.folders.browse({ key })).files;
  } catch (error) {
    if (hasStatus(error, 404)) return [];
    throw error;
  }
}
