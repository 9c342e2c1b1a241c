import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Ref } from "../../domain/callers/ref.ts";
import { callerInMessage } from "../../domain/callers/scope.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { childKey, keyNames, ROOT_KEY, rejectC1, splitKey } from "../../domain/names/name.ts";
import type { FolderRecord, Key, Name, Visibility } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockSubtree, lockTree } from "../folders/folder-locks.ts";
import { noSuchFolder, noTarget } from "../folders/folder-path.ts";
import { freeFolder } from "../folders/free-folder.ts";
import { removeMultipartsIn } from "../objects/multipart-uploads.ts";
import type { FolderChange } from "../port/file-tree.ts";
import { moveUsage } from "../quotas/move-usage.ts";
import { areWithin } from "../records/are-within.ts";
import { isOutside } from "../records/outside-tree.ts";
import { folderIdOf } from "../records/resolve-refs.ts";
import { isWithin, selectFolders } from "../records/select-records.ts";
import { nameTaken, takenBy } from "../records/taken-names.ts";
import { claimName } from "../trash/claim-names.ts";
import { rememberName } from "../trash/trash-folders.ts";
import { folderStep, recordSteps, type UndoStep } from "../undo/undo-steps.ts";
import { inherit, setDefaults } from "./folder-defaults.ts";
import { rejectLongKeys } from "./reject-long-keys.ts";
import { rewriteKeys } from "./rewrite-keys.ts";

/** Moving or renaming a bucket aborts its unfinished multipart uploads: their keys end with it. */
export async function changeFolder(tx: Tx, given: FolderChange): Promise<FolderRecord> {
  const input = await withIds(tx, given);
  const skipped = await findSkipped(tx, input);
  if (skipped !== undefined) return skipped;
  const keepsPlace = input.name === undefined && input.parentId === undefined;
  const bucket = keepsPlace ? undefined : await endMultiparts(tx, input);
  await lockTree(tx);
  const locked = await withIds(tx, given);
  if (locked.id !== input.id || locked.parentId !== input.parentId) throw new RetryTransaction();
  const old = await findFolder(tx, input);
  if (!keepsPlace && bucketOf(old) !== bucket) throw new RetryTransaction();
  const moved = keepsPlace ? old : await moveFolder(tx, old, input);
  const { defaultVisibility, expireAfter } = input;
  const folder =
    defaultVisibility === undefined && expireAfter === undefined
      ? moved
      : await setDefaults(tx, moved, {
          ...(defaultVisibility === undefined ? {} : { defaultVisibility }),
          ...(expireAfter === undefined ? {} : { expireAfter }),
        });
  const isChanged =
    input.visibility !== undefined && (await setVisibility(tx, folder, input.visibility));
  await recordSteps(tx, [folderStep(old, folder)]);
  const visibility = isChanged ? (input.visibility ?? null) : null;
  if (moved !== old) {
    await recordChanges(tx, [{ kind: "folder.moved", folder, fromKey: old.key, visibility }]);
  } else if (visibility !== null || folder !== moved) {
    const { id, key } = folder;
    await recordChanges(tx, [{ kind: "folder.updated", id, key, visibility }]);
  }
  return folder;
}

/** A change whose folders are known by their ids. */
type ChangeById = Omit<FolderChange, "id" | "parentId"> & {
  readonly id: string;
  readonly parentId?: string;
};

async function withIds(tx: Tx, { id, parentId, ...change }: FolderChange): Promise<ChangeById> {
  const folder = await folderIdOf(tx, id);
  if (folder === undefined) throw noSuchFolder();
  const parent = parentId === undefined ? undefined : await folderIdOf(tx, parentId);
  if (parentId !== undefined && parent === undefined) throw noTarget();
  return { ...change, id: folder, ...(parent === undefined ? {} : { parentId: parent }) };
}

/** The folder, if its new place is taken and it is to be skipped. Before any lock, so that nothing is changed. */
async function findSkipped(tx: Tx, input: ChangeById): Promise<FolderRecord | undefined> {
  if (input.onConflict !== "skip") return undefined;
  const folder = await findFolder(tx, input);
  const { name = folder.name, parentId = folder.parentId } = input;
  if (name === "" || parentId === null) return undefined;
  if (name === folder.name && parentId === folder.parentId) return undefined;
  if (!(await areWithin(tx, [parentId]))) return undefined;
  return (await takenBy(tx, parentId, name)) === undefined ? undefined : folder;
}

/** Completing an upload locks it before the folders, so this comes first. Returns the bucket, if it is one. */
async function endMultiparts(tx: Tx, input: ChangeById): Promise<Key | undefined> {
  const folder = await findFolder(tx, input);
  const bucket = bucketOf(folder);
  const { name = folder.name, parentId = folder.parentId } = input;
  const isMoved = name !== folder.name || parentId !== folder.parentId;
  if (bucket !== undefined && isMoved) await removeMultipartsIn(tx, bucket);
  return bucket;
}

const bucketOf = ({ key }: FolderRecord): Key | undefined =>
  keyNames(key).length === 1 ? key : undefined;

/**
 * Fault "forbidden": the folder's place in its parent may not be changed, because the parent is
 * outside the limit of the caller. The tree must be locked.
 */
export async function requirePlace(tx: Tx, { parentId }: FolderRecord): Promise<void> {
  if (parentId === null || (await areWithin(tx, [parentId]))) return;
  throw new Fault(
    "forbidden",
    `${callerInMessage(tx.actor)} may not rename, move or delete the folder itself, only what is in it.`,
  );
}

/** The folder of a change. It may move unless the tree is locked. */
export async function findFolder(tx: Tx, { id: ref }: { readonly id: Ref }): Promise<FolderRecord> {
  const id = await folderIdOf(tx, ref);
  if (id === undefined) throw noSuchFolder();
  const folder = await selectFolders(tx.db).where("folders.id", "=", id).executeTakeFirst();
  if (folder === undefined || !(await areWithin(tx, [id]))) throw noSuchFolder();
  return folder;
}

interface PlaceWanted {
  readonly parentId: string;
  readonly name: Name;
  readonly onConflict: FolderChange["onConflict"];
}

/** Renames the folder, moves it, or both. Returns the same record if it is there already. */
async function moveFolder(tx: Tx, folder: FolderRecord, input: ChangeById): Promise<FolderRecord> {
  if (folder.parentId === null || folder.name === "") {
    throw new Fault("invalid", "The root folder can be neither renamed nor moved.");
  }
  const { name = folder.name, parentId = folder.parentId } = input;
  if (input.parentId !== undefined && !(await areWithin(tx, [parentId]))) {
    throw noTarget();
  }
  if (name === folder.name && parentId === folder.parentId) return folder;
  if (name !== folder.name) rejectC1(name);
  await requirePlace(tx, folder);
  await lockSubtree(tx, folder.key, [folder.parentId, parentId]);
  const key = await placeOf(tx, folder, { parentId, name, onConflict: input.onConflict });
  if (key === folder.key) return folder;
  // Before anything is written: an undo goes on with other changes after a fault.
  await moveUsage(tx, folder, key, input.measured);
  const changed = {
    ...folder,
    parentId,
    name: splitKey(key)?.name ?? name,
    key,
    updatedAt: tx.now,
  };
  await tx.db
    .updateTable("folders")
    .set({
      parent_id: parentId,
      name: changed.name,
      key,
      updated_at: changed.updatedAt,
      implicit: 0,
    })
    .where("id", "=", folder.id)
    .execute();
  await rewriteKeys(tx, folder.key, key);
  if (changed.name !== folder.name) await rememberName(tx, changed);
  return inherit(tx, changed, parentId);
}

/** The key of the folder in its new place. Faults: it may not move there. */
async function placeOf(
  tx: Tx,
  folder: FolderRecord,
  { parentId, name, onConflict = "refuse" }: PlaceWanted,
): Promise<Key> {
  const parent = await selectFolders(tx.db).where("folders.id", "=", parentId).executeTakeFirst();
  if (parent === undefined) throw noTarget();
  if (parent.id === folder.id || parent.key.startsWith(`${folder.key}/`)) {
    throw new Fault("invalid", "A folder cannot be moved into itself or a folder inside it.");
  }
  const wanted = childKey(parent.key, name);
  const holder = await claimName(tx, parent.id, name);
  // The name was taken after `findSkipped` had checked it.
  if (holder !== undefined && onConflict === "skip") throw new RetryTransaction();
  if (holder !== undefined && onConflict === "refuse") throw nameTaken(holder, name);
  const key = holder === undefined ? wanted : await freeFolder(tx, wanted, folder.key);
  await rejectLongKeys(tx.db, folder.key, key);
  return key;
}

/**
 * Returns whether any file's visibility changed. The lock keeps files from moving into or out of the folders
 * meanwhile, which would be missed. "unmarked": without those that were public before a policy.
 */
export async function setVisibility(
  tx: Tx,
  { id, key }: Pick<FolderRecord, "id" | "key">,
  visibility: Visibility,
  which: "all" | "unmarked" = "all",
): Promise<boolean> {
  await lockSubtree(tx, key, []);
  const isConcerned = (eb: ExpressionBuilder<Schema, "files">) => {
    const folders = eb.selectFrom("folders").select("folders.id");
    return eb.and([
      eb("visibility", "<>", visibility),
      ...(which === "unmarked" ? [eb("kept_public", "is", null)] : []),
      // Files in the trash keep their visibility. Excluding them is cheap, because few folders are outside the tree.
      key === ROOT_KEY
        ? eb("folder_id", "not in", folders.where(isOutside))
        : eb("folder_id", "in", folders.where(isWithin(key))),
    ]);
  };
  if (tx.actor.id !== null) await recordVisibility(tx, id, visibility, isConcerned);
  const updated = await tx.db
    .updateTable("files")
    .set({ visibility, updated_at: tx.now })
    .where(isConcerned)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** With more files, an undo leaves their visibility as it is. */
const MAX_KEPT = 100_000;
/** Files of one step. */
const KEPT_AT_ONCE = 500;

/** Keeps which files are about to get another visibility. */
async function recordVisibility(
  tx: Tx,
  id: string,
  visibility: Visibility,
  isConcerned: (eb: ExpressionBuilder<Schema, "files">) => Expression<SqlBool>,
): Promise<void> {
  const rows = await tx.db
    .selectFrom("files")
    .select("id")
    .where(isConcerned)
    .limit(MAX_KEPT + 1)
    .execute();
  const ids = rows.map((row) => row.id);
  const steps: UndoStep[] = [];
  if (ids.length > MAX_KEPT) steps.push({ kind: "visibility", id, visibility, files: null });
  else {
    for (let at = 0; at < ids.length; at += KEPT_AT_ONCE) {
      const files = ids.slice(at, at + KEPT_AT_ONCE);
      steps.push({ kind: "visibility", id, visibility, files });
    }
  }
  await recordSteps(tx, steps);
}
