import type { FileRecord, FolderRecord } from "../../domain/records.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { chunks, paddedChunks } from "../engine/chunks.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockFiles } from "../folders/file-locks.ts";
import { lockFolders, lockTree } from "../folders/folder-locks.ts";
import type { ObjectRemoval, RemovedObjects } from "../port/objects.ts";
import { negative, sum, topOfChild } from "../quotas/usage.ts";
import { trashKey } from "../records/outside-tree.ts";
import { moveToTrash } from "../trash/trash-files.ts";
import { removeVersionsOf } from "../trash/versions.ts";
import { takeOut } from "../tree/remove-folder.ts";
import { deleteFolders, findEmptied, findKept } from "./emptied-folders.ts";
import { type FoundRemoval, findRemoval } from "./find-removal.ts";
import { setImplicit } from "./put-object.ts";

export async function removeObjects(tx: Tx, removal: ObjectRemoval): Promise<RemovedObjects> {
  const found = await lockRemoval(tx, removal);
  const emptied = await findEmptied(tx, found);
  const files = [...new Set(found.objects.flatMap(({ file }) => file ?? []))];
  const ids = files.map(({ id }) => id);
  await lockFiles(tx, ids);
  const { keepMs } = removal;
  const kept = keepMs === undefined ? new Set<FolderRecord>() : await findKept(tx, emptied);
  if (keepMs === undefined) await deleteFiles(tx, files);
  else if (files.length + kept.size > 0) await moveToTrash(tx, files, keepMs, [...kept]);
  for (const { folder } of found.objects) {
    if (folder !== undefined) await tx.all(setImplicit, { id: folder.folder.id, implicit: 1 });
  }
  for (const folder of kept) await takeOut(tx, folder, trashKey(folder.id));
  await deleteFolders(
    tx,
    emptied.filter((folder) => !kept.has(folder)),
  );
  await recordChanges(tx, [
    ...files.map(({ id, key }): TreeChange => ({ kind: "file.deleted", id, key })),
    ...emptied.map(({ id, key }): TreeChange => ({ kind: "folder.deleted", id, key })),
  ]);
  const removed = found.objects.flatMap(({ object: { key, isFolder }, file, folder }) => {
    const id = file?.id ?? folder?.folder.id;
    return id === undefined ? [] : [{ id, key, isFolder }];
  });
  return { removed, refused: found.refused };
}

/**
 * What the removal is about, with the folders locked in which objects are, and the tree if folders
 * will go.
 */
async function lockRemoval(tx: Tx, removal: ObjectRemoval): Promise<FoundRemoval> {
  const before = await findRemoval(tx, removal);
  const empties = (await findEmptied(tx, before)).length > 0;
  if (empties) await lockTree(tx);
  const locked = empties ? idsOf(before.folders.values()) : foldersOf(before);
  for (const chunk of chunks(locked.toSorted())) await lockFolders(tx, chunk);
  const found = await findRemoval(tx, removal);
  const isLocked = new Set(locked);
  const wanted = empties ? idsOf(found.folders.values()) : foldersOf(found);
  // Folders were moved or made, or the rest of one was removed, while this transaction waited.
  if (!wanted.every((id) => isLocked.has(id))) throw new RetryTransaction();
  if (!empties && (await findEmptied(tx, found)).length > 0) throw new RetryTransaction();
  return found;
}

const idsOf = (folders: Iterable<{ readonly folder: { readonly id: string } }>): string[] =>
  Array.from(folders, ({ folder }) => folder.id);

/** The ids of the folders whose content or state changes. */
const foldersOf = ({ objects }: FoundRemoval): string[] => [
  ...new Set(objects.flatMap(({ file, folder }) => file?.folderId ?? folder?.folder.id ?? [])),
];

async function deleteFiles(
  tx: Tx,
  files: readonly Pick<FileRecord, "id" | "key" | "size" | "blobId">[],
): Promise<void> {
  const ids = files.map(({ id }) => id);
  for (const chunk of paddedChunks(ids)) {
    const items = chunk.map((id) => ({ id }));
    await tx.all(deleteById(items.length), { items, shared: {} });
  }
  const versions = await removeVersionsOf(tx, ids);
  for (const { id, key, size } of files) {
    const removed = sum(versions.get(id), { bytes: size, files: 1 });
    tx.usage.add(topOfChild(key), negative(removed));
  }
  await condemnBlobs(
    tx,
    files.map(({ blobId }) => blobId),
  );
}

const deleteById = preparedForItems<{ id: string }, Record<never, never>, unknown>((db, items) =>
  db.deleteFrom("files").where(
    "id",
    "in",
    items.map((item) => item("id")),
  ),
);
