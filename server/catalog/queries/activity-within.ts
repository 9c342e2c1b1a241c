import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { ActivityRecord } from "../../rules/activity.ts";
import type { Key } from "../../rules/records.ts";
import { isInFolder } from "../../rules/scope.ts";
import type { Within } from "../port.ts";
import type { Schema } from "../schema.ts";
import { isInFolders } from "./is-in-folders.ts";

/** Entries read at once: a millisecond or two. */
const BATCH = 500;

/** Reads at most `limit` entries before the one with this id, newest first. */
export type ReadActivity = (before: string | undefined, limit: number) => Promise<ActivityRecord[]>;

/**
 * The newest entries about files and folders that are `within`, and that were in `top`, the folder
 * which contains that, at the time. So an entry from before a file was moved in shows nothing of the
 * place that it comes from.
 */
export async function activityWithin(
  db: Kysely<Schema>,
  { read, within, top }: { read: ReadActivity; within: Within; top: Key },
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<ActivityRecord[]> {
  const found: ActivityRecord[] = [];
  for (let before = page.before; ; await setImmediate()) {
    const batch = await read(before, BATCH);
    const candidates = batch.filter(({ subject }) => wasIn(top, subject));
    const inside = await idsWithin(db, candidates, within);
    for (const entry of candidates) {
      if (inside.has(entry.subject?.id ?? "")) found.push(entry);
      if (found.length === page.limit) return found;
    }
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return found;
    before = last.id;
  }
}

function wasIn(top: Key, subject: ActivityRecord["subject"]): boolean {
  if (subject === null || subject.name === null) return false;
  const isEntry = subject.kind === "file" || subject.kind === "folder";
  return isEntry && isInFolder(subject.name, top);
}

/** The ids of those of the entries' subjects that exist and are in all the folders. */
async function idsWithin(
  db: Kysely<Schema>,
  entries: readonly ActivityRecord[],
  within: Within,
): Promise<Set<string>> {
  const ids = [...new Set(entries.map(({ subject }) => subject?.id ?? ""))];
  if (ids.length === 0) return new Set();
  const files = await db
    .selectFrom("files")
    .innerJoin("folders", "folders.id", "files.folder_id")
    .select("files.id")
    .where("files.id", "in", ids)
    .where(isInFolders(within))
    .execute();
  const folders = await db
    .selectFrom("folders")
    .select("folders.id")
    .where("folders.id", "in", ids)
    .where(isInFolders(within))
    .execute();
  return new Set([...files, ...folders].map(({ id }) => id));
}
