import type { BlobId } from "../../rules/records.ts";
import { pieces } from "../pieces.ts";
import { isLive } from "../removed.ts";
import type { Tx } from "../tx.ts";
import { lockFiles } from "./file-locks.ts";

export async function removeFiles(
  tx: Tx,
  ids: readonly string[],
): Promise<{ id: string; blobId: BlobId }[]> {
  const removed = new Map<string, BlobId>();
  await lockFiles(tx, ids);
  for (const piece of pieces(ids)) {
    const rows = await tx.db
      .deleteFrom("files")
      .where("id", "in", piece)
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
    if (rows.length === 0) continue;
    await tx.db
      .insertInto("condemned")
      .values(rows.map(({ blob_id }) => ({ blob_id, condemned_at: tx.now })))
      .execute();
    for (const { id, blob_id } of rows) removed.set(id, blob_id);
  }
  const inOrder = new Set(ids);
  return [...inOrder].flatMap((id) => {
    const blobId = removed.get(id);
    return blobId === undefined ? [] : [{ id, blobId }];
  });
}
