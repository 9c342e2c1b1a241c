import type { Holdall } from "../../../../sdk/src/holdall.ts";
import { keyOf } from "../item.ts";
import type { Work } from "../work.ts";
import { CHANGED_AT_ONCE, filesIn, isStoredFile } from "./apply-visibility.ts";

/** Gives stored files the end that the user has chosen since they were sent. Returns whether there were any. */
export async function applyEnd(work: Work, client: Holdall): Promise<boolean> {
  const { expiresIn } = work;
  if (expiresIn === undefined) return false;
  const stored = work.items.filter((item) => isStoredFile(work, item));
  for (const [folder, items] of Map.groupBy(stored, (item) => item.folder)) {
    const keys = new Set(items.map((item) => item.storedKey ?? keyOf(item)));
    const found = await filesIn(client, folder);
    const ids = found.filter((file) => keys.has(file.key)).map(({ id }) => id);
    for (let at = 0; at < ids.length; at += CHANGED_AT_ONCE) {
      await client.files.updateMany(ids.slice(at, at + CHANGED_AT_ONCE), { expiresIn });
    }
  }
  return stored.length > 0;
}
