import { type Param, prepared } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { NewDigest } from "../port/blob-ledger.ts";

export async function addDigests(tx: Tx, digests: readonly NewDigest[]): Promise<void> {
  // In a fixed order, so that two transactions cannot deadlock.
  for (const { fileId, blobId, sha256 } of digests.toSorted(byFile)) {
    await tx.all(addDigest, { fileId, blobId, sha256 });
    await tx.all(addVersionDigest, { fileId, blobId, sha256 });
  }
}

const byFile = (a: NewDigest, b: NewDigest): number => (a.fileId < b.fileId ? -1 : 1);

const addDigest = prepared((db, param: Param<NewDigest>) =>
  db
    .updateTable("files")
    .set({ sha256: param("sha256") })
    .where("id", "=", param("fileId"))
    .where("blob_id", "=", param("blobId"))
    .where("sha256", "is", null),
);

/** It was the file's content before. */
const addVersionDigest = prepared((db, param: Param<NewDigest>) =>
  db
    .updateTable("versions")
    .set({ sha256: param("sha256") })
    .where("file_id", "=", param("fileId"))
    .where("blob_id", "=", param("blobId"))
    .where("sha256", "is", null),
);
