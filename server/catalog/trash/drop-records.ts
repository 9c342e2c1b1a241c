import type { BlobId } from "../../domain/records.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockFilesInPlace } from "../folders/lock-files-in-place.ts";
import { deleteHiddenFolders } from "./hidden-folders.ts";
import { deleteItems } from "./trash-items.ts";
import { removeVersionsOf } from "./versions.ts";

interface LostBlob {
  readonly fileId: string;
  readonly blobId: BlobId;
}

export async function dropRecords(tx: Tx, blobs: readonly LostBlob[]): Promise<BlobId[]> {
  const keys = await lockFilesInPlace(
    tx,
    blobs.map(({ fileId }) => fileId),
  );
  const versions = await dropVersions(tx, blobs);
  const files = await dropFiles(tx, blobs);
  const ids = files.map(({ id }) => id);
  await removeVersionsOf(tx, ids);
  tx.usage.recountAll();
  await leaveTrash(
    tx,
    files.filter(({ id }) => !keys.has(id)),
  );
  await recordChanges(
    tx,
    ids.flatMap((id): TreeChange[] => {
      const key = keys.get(id);
      // The feed knows the removal of its folder, or its own.
      return key === undefined ? [] : [{ kind: "file.deleted", id, key }];
    }),
  );
  return [...versions, ...files.map(({ blob_id }) => blob_id)];
}

async function dropVersions(tx: Tx, blobs: readonly LostBlob[]): Promise<BlobId[]> {
  const dropped: BlobId[] = [];
  for (const chunk of chunks(blobs, 200)) {
    const rows = await tx.db
      .deleteFrom("versions")
      .where((eb) =>
        eb.or(
          chunk.map(({ fileId, blobId }) =>
            eb.and([eb("file_id", "=", fileId), eb("blob_id", "=", blobId)]),
          ),
        ),
      )
      .returning("blob_id")
      .execute();
    dropped.push(...rows.map(({ blob_id }) => blob_id));
  }
  return dropped;
}

interface DroppedFile {
  readonly id: string;
  readonly folder_id: string;
  readonly blob_id: BlobId;
}

async function dropFiles(tx: Tx, blobs: readonly LostBlob[]): Promise<DroppedFile[]> {
  const dropped: DroppedFile[] = [];
  for (const chunk of chunks(blobs, 200)) {
    const rows = await tx.db
      .deleteFrom("files")
      .where((eb) =>
        eb.or(
          chunk.map(({ fileId, blobId }) =>
            eb.and([eb("id", "=", fileId), eb("blob_id", "=", blobId)]),
          ),
        ),
      )
      .returning(["id", "folder_id", "blob_id"])
      .execute();
    dropped.push(...rows);
  }
  return dropped;
}

/** What was dropped outside the tree leaves the trash, or is counted again as a part of its folder. */
async function leaveTrash(tx: Tx, files: readonly DroppedFile[]): Promise<void> {
  for (const chunk of chunks(files)) {
    const items = await tx.db
      .selectFrom("trash_items")
      .select(["subject_id", "undo_id"])
      .where(
        "subject_id",
        "in",
        chunk.map(({ id }) => id),
      )
      .execute();
    const dropped = new Set(items.map(({ subject_id }) => subject_id));
    await deleteItems(tx, items);
    await deleteHiddenFolders(
      tx,
      chunk.filter(({ id }) => dropped.has(id)).map(({ folder_id }) => folder_id),
    );
  }
  if (files.length === 0) return;
  await tx.db
    .updateTable("trash_items")
    .set({ files: null, bytes: null })
    .where("kind", "=", "folder")
    .execute();
}
