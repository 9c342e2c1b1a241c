import type { Kysely } from "kysely";
import { BLOCK_SIZE, blobId } from "../../rules/blob-id.ts";
import type { Schema } from "../schema.ts";

/** The blobs of a block that a file refers to or that are condemned, as of one moment. */
export function selectKnownBlobs(db: Kysely<Schema>, block: number) {
  const first = blobId(block, 0);
  const last = blobId(block, BLOCK_SIZE - 1);
  return db
    .selectFrom("files")
    .select("blob_id")
    .where("blob_id", ">=", first)
    .where("blob_id", "<=", last)
    .unionAll(
      db
        .selectFrom("condemned")
        .select("blob_id")
        .where("blob_id", ">=", first)
        .where("blob_id", "<=", last),
    );
}
