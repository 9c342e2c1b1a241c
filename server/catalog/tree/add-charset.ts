import { type Param, prepared } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { NewCharset } from "../port/blob-ledger.ts";

export async function addCharset(tx: Tx, found: NewCharset): Promise<void> {
  await tx.all(updateFile, { ...found });
  await tx.all(updateVersion, { ...found });
}

const updateFile = prepared((db, param: Param<NewCharset>) =>
  db
    .updateTable("files")
    .set({ charset: param("charset") })
    .where("id", "=", param("fileId"))
    .where("blob_id", "=", param("blobId"))
    .where("mime_type", "=", param("mimeType"))
    .where("meta", "is not distinct from", param("metadata"))
    .where("charset", "is", null),
);

/** The blob belongs to a version, or the file's content has become one. */
const updateVersion = prepared((db, param: Param<NewCharset>) =>
  db
    .updateTable("versions")
    .set({ charset: param("charset") })
    .where((eb) => eb.or([eb("id", "=", param("fileId")), eb("file_id", "=", param("fileId"))]))
    .where("blob_id", "=", param("blobId"))
    .where("mime_type", "=", param("mimeType"))
    .where("meta", "is not distinct from", param("metadata"))
    .where("charset", "is", null),
);
