import { EVERYTHING, limitsOf } from "../../domain/callers/caller.ts";
import type { Ref } from "../../domain/callers/ref.ts";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { BlobId, FileRecord } from "../../domain/records.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockRefsInPlace } from "../folders/lock-files-in-place.ts";
import { negative, sum, topOfChild } from "../quotas/usage.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { isLasting } from "../records/outside-tree.ts";
import { removeVersionsOf } from "../trash/versions.ts";

export async function removeFiles(
  tx: Tx,
  refs: readonly Ref[],
): Promise<Pick<FileRecord, "id" | "key" | "blobId">[]> {
  const keys = await lockRefsInPlace(tx, refs);
  const removed = new Map<string, BlobId>();
  for (const chunk of chunks([...keys.keys()])) {
    const rows = await tx.db
      .deleteFrom("files")
      .where("id", "in", chunk)
      .where(isLasting)
      .$if(tx.within !== EVERYTHING, (query) =>
        query.where(({ exists, selectFrom }) =>
          exists(
            selectFrom("folders")
              .select("folders.id")
              .whereRef("folders.id", "=", "files.folder_id")
              .where(isInFolders(limitsOf(tx.within))),
          ),
        ),
      )
      .returning(["id", "blob_id", "size"])
      .execute();
    const versions = await removeVersionsOf(
      tx,
      rows.map(({ id }) => id),
    );
    for (const { id, size } of rows) {
      const removedContents = sum(versions.get(id), { bytes: size, files: 1 });
      tx.usage.add(topOfChild(keys.get(id) ?? ROOT_KEY), negative(removedContents));
    }
    await condemnBlobs(
      tx,
      rows.map(({ blob_id }) => blob_id),
    );
    for (const { id, blob_id } of rows) removed.set(id, blob_id);
  }
  const inOrder = [...keys].flatMap(([id, key]) => {
    const blobId = removed.get(id);
    return blobId === undefined ? [] : [{ id, key, blobId }];
  });
  await recordChanges(
    tx,
    inOrder.map(({ id, key }): TreeChange => ({ kind: "file.deleted", id, key })),
  );
  return inOrder;
}
