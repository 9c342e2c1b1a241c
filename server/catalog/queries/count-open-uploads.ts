import type { ExpressionBuilder, Kysely } from "kysely";
import { sql } from "kysely";
import type { Actor } from "../../rules/activity.ts";
import type { Schema } from "../schema.ts";
import { isOpen } from "./select-uploads.ts";

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
    .where((eb) => (maker === undefined ? eb.lit(true) : isMadeBy(eb, maker)))
    .executeTakeFirstOrThrow();
  return { count: Number(row.count), bytes: Number(row.bytes) };
}

const isMadeBy = (eb: ExpressionBuilder<Schema, "uploads">, { kind, id }: Actor) =>
  eb.and([
    eb("maker_kind", "=", kind),
    id === null ? eb("maker_id", "is", null) : eb("maker_id", "=", id),
  ]);
