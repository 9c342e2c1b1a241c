import { sql } from "kysely";
import { Fault } from "../../rules/fault.ts";
import { isOpen } from "../queries/select-uploads.ts";
import type { BatchesTable } from "../schema.ts";
import type { Tx } from "../tx.ts";

/** Of files and their bytes. */
interface Amount {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Refuses more members than the link of a batch allows. Does nothing for other batches. Faults:
 * "too_large"; "not_found": the link is gone.
 */
export async function rejectBeyondLink(tx: Tx, batch: BatchesTable, added: Amount): Promise<void> {
  if (batch.maker_kind !== "link") return;
  const link = await tx.db
    .selectFrom("links")
    .select(["max_files", "max_bytes"])
    .where("id", "=", batch.maker_id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (link === undefined) throw new Fault("not_found", "No such batch.");
  const { max_files: files, max_bytes: bytes } = link;
  if (files !== null && batch.files + added.files > files) {
    throw new Fault(
      "too_large",
      `This link takes at most ${files} ${files === 1 ? "file" : "files"} at a time.`,
    );
  }
  if (bytes !== null && batch.bytes + added.bytes > bytes) {
    throw new Fault("too_large", `This link takes at most ${bytes} bytes at a time.`);
  }
}

/** The open uploads of a batch, each with the most bytes that it may still become. */
export async function openUploadsOf(tx: Tx, batchId: string): Promise<Amount> {
  const row = await tx.db
    .selectFrom("uploads")
    .select([
      sql<number>`count(*)`.as("files"),
      sql<number>`coalesce(sum(coalesce("length", max_size)), 0)`.as("bytes"),
    ])
    .where("batch_id", "=", batchId)
    .where(isOpen)
    .executeTakeFirstOrThrow();
  return { files: Number(row.files), bytes: Number(row.bytes) };
}
