import type { Kysely } from "kysely";
import type { ActivityRecord, Subject } from "../../domain/activity.ts";
import type { FolderIds } from "../../domain/callers/caller.ts";
import type { Key } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import type { Schema } from "../engine/schema.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { selectFiles, selectFolders } from "../records/select-records.ts";

/** Entries read at once: a few milliseconds. */
const BATCH = 500;

/** Reads at most `limit` entries before the one with this id, newest first. */
export type ReadActivity = (before: string | undefined, limit: number) => Promise<ActivityRecord[]>;

/**
 * The newest entries about files and folders that are `within` now. Each names its subject by the
 * current key, since the recorded one may be a place outside.
 */
export async function activityWithin(
  db: Kysely<Schema>,
  { read, within }: { read: ReadActivity; within: FolderIds },
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<ActivityRecord[]> {
  const found: ActivityRecord[] = [];
  for (let before = page.before; ; await giveWay()) {
    const batch = await read(before, BATCH);
    const currentSubject = await subjectsWithin(db, batch, within);
    for (const entry of batch) {
      const subject = currentSubject(entry.subject);
      if (subject !== undefined) found.push({ ...entry, subject });
      if (found.length === page.limit) return found;
    }
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return found;
    before = last.id;
  }
}

/** Looks subjects up by their ids; undefined: not a file or folder that is in all the folders. */
async function subjectsWithin(
  db: Kysely<Schema>,
  entries: readonly ActivityRecord[],
  within: FolderIds,
): Promise<(subject: Subject | null) => Subject | undefined> {
  const isInside = isInFolders(within);
  const fileIds = idsOf("file", entries);
  const folderIds = idsOf("folder", entries);
  const files =
    fileIds.length === 0
      ? []
      : await selectFiles(db).where("files.id", "in", fileIds).where(isInside).execute();
  const folders =
    folderIds.length === 0
      ? []
      : await selectFolders(db).where("folders.id", "in", folderIds).where(isInside).execute();
  const keys = { file: keysById(files), folder: keysById(folders) };

  return (subject) => {
    if (subject?.kind !== "file" && subject?.kind !== "folder") return undefined;
    const name = keys[subject.kind].get(subject.id ?? "");
    return name === undefined ? undefined : { ...subject, name };
  };
}

function idsOf(kind: Subject["kind"], entries: readonly ActivityRecord[]): string[] {
  const ids = entries.map(({ subject }) => (subject?.kind === kind ? subject.id : null));
  return [...new Set(ids.filter((id) => id !== null))];
}

const keysById = (records: readonly { readonly id: string; readonly key: Key }[]) =>
  new Map(records.map(({ id, key }) => [id, key]));
