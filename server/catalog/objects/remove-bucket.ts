import { Fault } from "../../domain/faults/fault.ts";
import { keyNames } from "../../domain/names/name.ts";
import type { FolderRecord, Key } from "../../domain/records.ts";
import { readLifecycle } from "../../semantics/s3/lifecycle.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockSubtree, lockTree } from "../folders/folder-locks.ts";
import { noSuchFolder } from "../folders/folder-path.ts";
import { areWithin } from "../records/are-within.ts";
import { isLasting } from "../records/outside-tree.ts";
import { isBelow, isWithin, selectFolders } from "../records/select-records.ts";
import { endFilesIn } from "../trash/end-files.ts";
import { requirePlace } from "../tree/change-folder.ts";
import { markRemoved } from "../tree/remove-folder.ts";
import { parseBucketSettings, settingsOfBucket } from "./bucket-settings.ts";
import { removeMultipartsIn } from "./multipart-uploads.ts";

export async function removeBucket(tx: Tx, key: Key): Promise<void> {
  // Completing an upload locks it before the folders.
  await removeMultipartsIn(tx, key);
  await lockTree(tx);
  const folder = await selectFolders(tx.db).where("folders.key", "=", key).executeTakeFirst();
  const isBucket = folder !== undefined && keyNames(key).length === 1;
  if (!isBucket || !(await areWithin(tx, [folder.id]))) throw noSuchFolder();
  await requirePlace(tx, folder);
  await lockSubtree(tx, key, []);
  if (await hasObject(tx, folder)) {
    throw new Fault("conflict", "The bucket is not empty.");
  }
  await endFilesBelow(tx, key);
  await markRemoved(tx, folder);
  await recordChanges(tx, [{ kind: "folder.deleted", id: folder.id, key }]);
}

/**
 * Implicit folders without content are no objects. Neither are folders that lifecycle rules keep: tools list a
 * bucket once, remove what they have seen, and then the bucket.
 */
async function hasObject(tx: Tx, { key }: FolderRecord): Promise<boolean> {
  const ofRules = new Set(await foldersOfRules(tx, key));
  const folders = await tx.db
    .selectFrom("folders")
    .select("folders.id")
    .where(isBelow(key))
    .where("folders.implicit", "=", 0)
    .limit(ofRules.size + 1)
    .execute();
  if (folders.some(({ id }) => !ofRules.has(id))) return true;
  const file = await tx.db
    .selectFrom("folders")
    .innerJoin("files", "files.folder_id", "folders.id")
    .select("files.id")
    .where(isWithin(key))
    .where(isLasting)
    .limit(1)
    .executeTakeFirst();
  return file !== undefined;
}

async function foldersOfRules(tx: Tx, key: Key): Promise<string[]> {
  const bucket = await tx.first(settingsOfBucket, { key });
  const { lifecycle } = parseBucketSettings(bucket?.settings ?? null);
  return lifecycle === undefined ? [] : readLifecycle(lifecycle).applied.map(({ id }) => id);
}

/** Objects that have ended go to the trash, as they would have done without the removal. */
async function endFilesBelow(tx: Tx, key: Key): Promise<void> {
  const files = await tx.db
    .selectFrom("folders")
    .innerJoin("files", "files.folder_id", "folders.id")
    .select(["files.id", "files.folder_id as folderId"])
    .where(isWithin(key))
    .execute();
  for (const [folderId, inFolder] of Map.groupBy(files, (file) => file.folderId)) {
    await endFilesIn(
      tx,
      folderId,
      inFolder.map(({ id }) => id),
    );
  }
}
