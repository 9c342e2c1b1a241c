import type { Kysely } from "kysely";
import type { ActivityRecord, Subject } from "../../domain/activity.ts";
import type { FolderIds } from "../../domain/callers/caller.ts";
import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import type { Key } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import type { Schema } from "../engine/schema.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { selectFiles, selectFolders } from "../records/select-records.ts";

/** Entries read at once: a few milliseconds. */
const BATCH = 500;

/** Reads at most `limit` entries before the one with this id, newest first. */
export type ReadActivity = (before: string | undefined, limit: number) => Promise<ActivityRecord[]>;

/** The entries of a batch that are wanted, in its order. */
export type SelectEntries = (
  batch: readonly ActivityRecord[],
) => readonly ActivityRecord[] | Promise<readonly ActivityRecord[]>;

export interface ActivityPage {
  readonly before?: string | undefined;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The newest entries that `select` returns, read in batches between which other requests run. ConnectionClosed: the
 * signal aborts.
 */
export async function filterActivity(
  read: ReadActivity,
  select: SelectEntries,
  page: ActivityPage,
): Promise<ActivityRecord[]> {
  const found: ActivityRecord[] = [];
  for (let before = page.before; ; await giveWay()) {
    if (page.signal?.aborted) {
      throw new ConnectionClosed("The connection closed before the activity was searched.");
    }
    const batch = await read(before, BATCH);
    for (const entry of await select(batch)) {
      found.push(entry);
      if (found.length === page.limit) return found;
    }
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return found;
    before = last.id;
  }
}

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
