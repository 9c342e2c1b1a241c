import type { BlobId } from "../../rules/records.ts";
import type { TreeChange } from "../../rules/tree-change.ts";
import { chunks } from "../chunks.ts";
import type { Tx } from "../tx.ts";
import { lockFilesInPlace } from "./lock-files-in-place.ts";
import { recordChanges } from "./record-changes.ts";

export async function dropRecords(
  tx: Tx,
  blobs: readonly { fileId: string; blobId: BlobId }[],
): Promise<string[]> {
  const keys = await lockFilesInPlace(
    tx,
    blobs.map(({ fileId }) => fileId),
  );
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
  await recordChanges(
    tx,
    dropped.flatMap((id): TreeChange[] => {
      const key = keys.get(id);
      // The feed knows the removal of its folder.
      return key === undefined ? [] : [{ kind: "file.deleted", id, key }];
    }),
  );
  return dropped;
}
