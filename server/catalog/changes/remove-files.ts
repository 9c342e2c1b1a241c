import type { BlobId } from "../../rules/records.ts";
import { chunks } from "../chunks.ts";
import { isLive } from "../queries/removed-folders.ts";
import type { Tx } from "../tx.ts";
import { condemnBlobs } from "./condemn-blobs.ts";
import { lockFiles } from "./file-locks.ts";

export async function removeFiles(
  tx: Tx,
  ids: readonly string[],
): Promise<{ id: string; blobId: BlobId }[]> {
  const removed = new Map<string, BlobId>();
  await lockFiles(tx, ids);
  for (const chunk of chunks(ids)) {
    const rows = await tx.db
      .deleteFrom("files")
      .where("id", "in", chunk)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("folders")
            .select("folders.id")
            .whereRef("folders.id", "=", "files.folder_id")
            .where(isLive),
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
