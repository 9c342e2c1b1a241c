import type { BlobId } from "../../rules/records.ts";
import { chunks } from "../chunks.ts";
import type { Tx } from "../tx.ts";

export async function dropRecords(
  tx: Tx,
  blobs: readonly { fileId: string; blobId: BlobId }[],
): Promise<string[]> {
  const dropped: string[] = [];
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
      .returning("id")
      .execute();
    dropped.push(...rows.map(({ id }) => id));
  }
  return dropped;
}
