import type { Ref } from "../../domain/callers/ref.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { childKey, joinKey, keyNames, ROOT_KEY } from "../../domain/names/name.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import type { FileRecord, FolderRecord, Key, Name } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { ensureFolders } from "../folders/ensure-folders.ts";
import { lockFiles } from "../folders/file-locks.ts";
import { lockTree } from "../folders/folder-locks.ts";
import { noDestination, noSuchFolder } from "../folders/folder-path.ts";
import { freeFolder, retryIfTaken } from "../folders/free-folder.ts";
import {
  type CopiedFolder,
  type CopyOutcome,
  type FolderCopy,
  MAX_COPIED_FILES,
  MAX_COPIED_FOLDERS,
} from "../port/copies.ts";
import { areWithin } from "../records/are-within.ts";
import { folderIdOf } from "../records/resolve-refs.ts";
import { isWithin, selectFiles, selectFolders } from "../records/select-records.ts";
import { nameTaken } from "../records/taken-names.ts";
import { claimName } from "../trash/claim-names.ts";
import { requireCopiedBlobs } from "./copied-blobs.ts";
import { changesOf, storeFiles } from "./store-files.ts";

export async function copyFolder(tx: Tx, input: FolderCopy): Promise<CopyOutcome<CopiedFolder>> {
  const { onConflict, keepReplacedMs, replaceLimit } = input;
  const blobs = await requireCopiedBlobs(tx, input.owner, input.blobs);
  await lockTree(tx);
  const { source, parent } = await findPlaces(tx, input);
  const key = await placeOf(tx, source, parent, input);
  const { folders, files } = await contentOf(tx, source);
  const missing = blobs.missing(files);
  if (missing.length > 0) return { missing };
  const keys = new Map(folders.map((folder) => [folder.id, moved(folder.key, source.key, key)]));
  const ensured = ensureFolders(
    tx,
    parent.key,
    [...keys.values()],
    new Map(folders.map((folder) => [keys.get(folder.id) ?? ROOT_KEY, folder])),
  );
  const { byKey, created } = await (onConflict === "keepBoth" ? retryIfTaken(ensured) : ensured);
  await requireUnchanged(tx, files);
  const isCreated = new Set(created);
  const byFolder = Map.groupBy(files, ({ folderId }) => folderId);
  const destinations = folders.map(({ id }) => {
    const folder = byKey.get(keys.get(id) ?? ROOT_KEY);
    if (folder === undefined) throw new Error("A folder of a copy was not created.");
    const copies = (byFolder.get(id) ?? []).map((file) => blobs.copyOf(file));
    return { folder, namesAreFree: isCreated.has(folder), files: copies };
  });
  const stored = await storeFiles(
    tx,
    destinations.filter((destination) => destination.files.length > 0),
    { onConflict, keepReplacedMs, replaceLimit },
  );
  await blobs.condemnUnused(stored);
  await recordChanges(tx, changesOf(created, stored));
  const folder = byKey.get(key);
  if (folder === undefined) throw new Error("The copy of a folder was not created.");
  const [added, replaced] = [stored.added.length, stored.replaced.length];
  const bytes = [...stored.added, ...stored.replaced].reduce((sum, { size }) => sum + size, 0);
  return {
    copied: { folder, added, replaced, skipped: files.length - added - replaced, bytes },
  };
}

/** The folder to copy, and the one to copy it to. */
async function findPlaces(
  tx: Tx,
  { id, parentId }: FolderCopy,
): Promise<{ source: FolderRecord & { name: Name }; parent: FolderRecord }> {
  const source = await folderBy(tx, id);
  if (source === undefined || !(await areWithin(tx, [source.id]))) throw noSuchFolder();
  const { name } = source;
  if (name === "") {
    throw new Fault("invalid", "The root folder cannot be copied. Copy the folders in it.");
  }
  const target = parentId ?? source.parentId;
  const parent = target === null ? undefined : await folderBy(tx, target);
  if (parent === undefined || !(await areWithin(tx, [parent.id]))) throw noDestination();
  return { source: { ...source, name }, parent };
}

async function folderBy(tx: Tx, ref: Ref): Promise<FolderRecord | undefined> {
  const id = await folderIdOf(tx, ref);
  if (id === undefined) return undefined;
  return selectFolders(tx.db).where("folders.id", "=", id).executeTakeFirst();
}

/** The key that the copy gets. Fault "conflict": it is taken and may not be used. */
async function placeOf(
  tx: Tx,
  source: FolderRecord & { name: Name },
  parent: FolderRecord,
  { name = source.name, onConflict }: { name?: Name | undefined; onConflict: OnConflict },
): Promise<Key> {
  const key = childKey(parent.key, name);
  const holder = await claimName(tx, parent.id, name);
  if (holder === undefined) return key;
  if (onConflict === "keepBoth") return freeFolder(tx, key);
  if (onConflict === "refuse" || holder === "file") throw nameTaken(holder, name);
  if (key !== source.key) return key;
  throw new Fault(
    "conflict",
    `"${name}" cannot be copied onto itself. Give another folder or name, or \`onConflict: "keepBoth"\`.`,
    { code: "name_taken", details: { name } },
  );
}

/** The folder and everything in it, at any depth. */
async function contentOf(
  tx: Tx,
  { key }: FolderRecord,
): Promise<{ folders: readonly FolderRecord[]; files: readonly FileRecord[] }> {
  const folders = await selectFolders(tx.db)
    .where(isWithin(key))
    .orderBy("folders.key")
    .limit(MAX_COPIED_FOLDERS + 1)
    .execute();
  if (folders.length > MAX_COPIED_FOLDERS) throw tooMany("folders", MAX_COPIED_FOLDERS);
  const files: FileRecord[] = [];
  for (const chunk of chunks(folders.map(({ id }) => id))) {
    const found = await selectFiles(tx.db)
      .where("files.folder_id", "in", chunk)
      .limit(MAX_COPIED_FILES + 1 - files.length)
      .execute();
    files.push(...found);
    if (files.length > MAX_COPIED_FILES) throw tooMany("files", MAX_COPIED_FILES);
  }
  return { folders, files };
}

/**
 * Locks the files, so that none becomes private before its copy is public. They could not be locked before
 * the folders of the copy.
 */
async function requireUnchanged(tx: Tx, files: readonly FileRecord[]): Promise<void> {
  const byId = new Map(files.map((file) => [file.id, file]));
  const ids = [...byId.keys()];
  await lockFiles(tx, ids);
  for (const chunk of chunks(ids)) {
    const rows = await tx.db
      .selectFrom("files")
      .select(["id", "visibility"])
      .where("id", "in", chunk)
      .execute();
    for (const { id, visibility } of rows) {
      if (byId.get(id)?.visibility !== visibility) throw new RetryTransaction();
    }
  }
}

/** The key below `from`, below `to` instead. Fault "invalid": it would be too long or too deep. */
const moved = (key: Key, from: Key, to: Key): Key =>
  joinKey([...keyNames(to), ...keyNames(key).slice(keyNames(from).length)]);

const tooMany = (what: "files" | "folders", max: number): Fault =>
  new Fault(
    "too_large",
    `The folder contains more than the ${max} ${what} that one copy may have. Copy its subfolders one by one.`,
    { code: "too_many", details: { limit: max } },
  );
