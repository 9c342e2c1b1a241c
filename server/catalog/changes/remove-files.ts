import type { BlobId } from "../../rules/records.ts";
import { chunks } from "../chunks.ts";
import type { Within } from "../port.ts";
import { isInFolders } from "../queries/is-in-folders.ts";
import { isLive } from "../queries/removed-folders.ts";
import { RetryTransaction, type Tx } from "../tx.ts";
import { condemnBlobs } from "./condemn-blobs.ts";
import { lockFiles } from "./file-locks.ts";
import { lockFolders } from "./folder-locks.ts";

export async function removeFiles(
  tx: Tx,
  ids: readonly string[],
  within?: Within,
): Promise<{ id: string; blobId: BlobId }[]> {
  const removed = new Map<string, BlobId>();
  if (within === undefined) await lockFiles(tx, ids);
  else await lockInPlace(tx, ids);
  for (const chunk of chunks(ids)) {
    const rows = await tx.db
      .deleteFrom("files")
      .where("id", "in", chunk)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("folders")
            .select("folders.id")
            .whereRef("folders.id", "=", "files.folder_id")
            .where(isLive)
            .where(isInFolders(within ?? [])),
        ),
      )
      .returning(["id", "blob_id"])
      .execute();
    await condemnBlobs(
      tx,
      rows.map(({ blob_id }) => blob_id),
    );
    for (const { id, blob_id } of rows) removed.set(id, blob_id);
  }
  const inOrder = new Set(ids);
  return [...inOrder].flatMap((id) => {
    const blobId = removed.get(id);
    return blobId === undefined ? [] : [{ id, blobId }];
  });
}

/** Locks the files and their folders, so that no file leaves its place before the transaction ends. */
async function lockInPlace(tx: Tx, ids: readonly string[]): Promise<void> {
  const folderIds = await foldersOf(tx, ids);
  for (const chunk of chunks([...folderIds].sort())) await lockFolders(tx, chunk);
  await lockFiles(tx, ids);
  const current = await foldersOf(tx, ids);
  if (!current.isSubsetOf(folderIds)) throw new RetryTransaction();
}

async function foldersOf(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const folderIds = new Set<string>();
  for (const chunk of chunks(ids)) {
    const rows = await tx.db
      .selectFrom("files")
      .select("folder_id")
      .where("id", "in", chunk)
      .execute();
    for (const { folder_id } of rows) folderIds.add(folder_id);
  }
  return folderIds;
}
