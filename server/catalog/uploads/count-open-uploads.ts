import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Actor } from "../../domain/activity.ts";
import type { Schema } from "../engine/schema.ts";
import { isUnfinished } from "../records/select-multiparts.ts";
import { isOpen, isOpenBatch } from "../records/select-uploads.ts";

/** The open uploads, and the bytes of declared lengths that they have not received yet. */
export async function countOpenUploads(
  db: Kysely<Schema>,
  maker?: Actor,
): Promise<{ count: number; bytes: number }> {
  const row = await db
    .selectFrom("uploads")
    .select([
      sql<number>`count(*)`.as("count"),
      sql<number>`coalesce(sum("length" - "offset"), 0)`.as("bytes"),
    ])
    .where(isOpen)
    .where((eb) => (maker === undefined ? eb.lit(true) : isMadeBy(maker)))
    .executeTakeFirstOrThrow();
  return { count: Number(row.count), bytes: Number(row.bytes) };
}

/** `client`: only those that this one has started through a link. */
export async function countOpenBatches(
  db: Kysely<Schema>,
  maker: Actor,
  client?: string,
): Promise<number> {
  const row = await db
    .selectFrom("batches")
    .select(sql<number>`count(*)`.as("count"))
    .where(isOpenBatch)
    .where(isMadeBy(maker))
    .where((eb) => (client === undefined ? eb.lit(true) : eb("client", "=", client)))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function countOpenMultiparts(db: Kysely<Schema>, maker: Actor): Promise<number> {
  const row = await db
    .selectFrom("multipart_uploads")
    .select(sql<number>`count(*)`.as("count"))
    .where(isUnfinished)
    .where(isMadeBy(maker))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

const isMadeBy = ({ kind, id }: Actor) =>
  sql<boolean>`maker_kind = ${kind} and ${id === null ? sql`maker_id is null` : sql`maker_id = ${id}`}`;
