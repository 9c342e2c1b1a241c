import { sql } from "kysely";
import { Fault } from "../../domain/faults/fault.ts";
import type { Tx } from "../engine/tx.ts";
import { isOpen, isOpenBatch } from "../records/select-uploads.ts";
import type { BatchesTable } from "../tables/uploads.ts";

/** A number of files, and their bytes together. */
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
      { code: "too_many", details: { limit: files } },
    );
  }
  if (bytes !== null && batch.bytes + added.bytes > bytes) {
    throw new Fault("too_large", `This link takes at most ${bytes} bytes at a time.`, {
      details: { limit: bytes },
    });
  }
}

/** How many times the `maxBytes` of a link its unfinished batches may have together. */
const MAX_FULL_BATCHES = 20;

/**
 * Refuses bytes with which the unfinished batches of a link would have too many together, so that visitors
 * who never finish do not fill the disk. Fault "rate_limited".
 */
export async function rejectBeyondUnfinished(
  tx: Tx,
  { maker_kind: kind, maker_id: id }: BatchesTable,
  bytes: number,
): Promise<void> {
  if (kind !== "link") return;
  const link = await tx.db
    .selectFrom("links")
    .select("max_bytes")
    .where("id", "=", id)
    .executeTakeFirst();
  const limit = link?.max_bytes ?? null;
  if (limit === null) return;
  const sealed = await tx.db
    .selectFrom("batches")
    .select(sql<number>`coalesce(sum(bytes), 0)`.as("bytes"))
    .where(isOpenBatch)
    .where("maker_kind", "=", kind)
    .where("maker_id", "=", id)
    .executeTakeFirstOrThrow();
  const open = await tx.db
    .selectFrom("uploads")
    .select(sql<number>`coalesce(sum(coalesce("length", max_size)), 0)`.as("bytes"))
    .where(isOpen)
    .where("maker_kind", "=", kind)
    .where("maker_id", "=", id)
    .executeTakeFirstOrThrow();
  if (Number(sealed.bytes) + Number(open.bytes) + bytes <= limit * MAX_FULL_BATCHES) return;
  throw new Fault(
    "rate_limited",
    "Too much is being sent through this link at the moment. Try again in a few minutes.",
    { retryAfter: 60 },
  );
}

/** Counts the open uploads of a batch, and adds up the largest size that each may reach. */
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
