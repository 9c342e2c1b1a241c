import type { Millis } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import type { FetchRecord } from "../port/fetches.ts";

export async function saveFetches(tx: Tx, fetches: readonly FetchRecord[]): Promise<void> {
  // In a fixed order, so that two transactions cannot deadlock.
  for (const { uploadId, ...rest } of fetches.toSorted((a, b) =>
    a.uploadId < b.uploadId ? -1 : 1,
  )) {
    await tx.db
      .insertInto("fetches")
      .values({ upload_id: uploadId, ...rest })
      .onConflict((conflict) => conflict.column("upload_id").doUpdateSet(rest))
      .execute();
  }
}

export async function removeFetches(tx: Tx, before: Millis): Promise<void> {
  await tx.db.deleteFrom("fetches").where("at", "<", before).execute();
}
