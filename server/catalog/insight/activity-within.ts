import type { Kysely } from "kysely";
import type { ActivityRecord, Subject } from "../../domain/activity.ts";
import type { FolderIds } from "../../domain/callers/caller.ts";
import type { Key } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { selectFiles, selectFolders } from "../records/select-records.ts";

/**
 * The entries about files and folders that are `within` now. Each names its subject by the current key,
 * since the recorded one may be a place outside.
 */
export async function activityWithin(
  db: Kysely<Schema>,
  entries: readonly ActivityRecord[],
  within: FolderIds,
): Promise<ActivityRecord[]> {
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

  return entries.flatMap((entry) => {
    const { subject } = entry;
    if (subject?.kind !== "file" && subject?.kind !== "folder") return [];
    const name = keys[subject.kind].get(subject.id ?? "");
    return name === undefined ? [] : [{ ...entry, subject: { ...subject, name } }];
  });
}

function idsOf(kind: Subject["kind"], entries: readonly ActivityRecord[]): string[] {
  const ids = entries.map(({ subject }) => (subject?.kind === kind ? subject.id : null));
  return [...new Set(ids.filter((id) => id !== null))];
}

const keysById = (records: readonly { readonly id: string; readonly key: Key }[]) =>
  new Map(records.map(({ id, key }) => [id, key]));
