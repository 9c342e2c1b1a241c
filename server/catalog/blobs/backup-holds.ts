import type { ExpressionBuilder } from "kysely";
import { sql } from "kysely";
import type { Schema } from "../engine/schema.ts";
import type { Tx } from "../engine/tx.ts";
import { LEASE_SECONDS } from "../port/blob-ledger.ts";

export async function startBackupHold(tx: Tx, owner: string): Promise<void> {
  await tx.db
    .insertInto("holds")
    .values({ owner, heartbeat: tx.leaseClock })
    .onConflict((conflict) => conflict.column("owner").doUpdateSet({ heartbeat: tx.leaseClock }))
    .execute();
}

export async function renewBackupHold(tx: Tx, owner: string): Promise<boolean> {
  const kept = await tx.db
    .updateTable("holds")
    .set({ heartbeat: tx.leaseClock })
    .where("owner", "=", owner)
    .where((eb) => eb.not(hasExpired(tx)(eb)))
    .executeTakeFirst();
  return kept.numUpdatedRows > 0n;
}

export async function endBackupHold(tx: Tx, owner: string): Promise<void> {
  await tx.db.deleteFrom("holds").where("owner", "=", owner).execute();
}

/** Returns whether any hold is left. */
export async function removeExpiredHolds(tx: Tx): Promise<boolean> {
  await tx.db.deleteFrom("holds").where(hasExpired(tx)).execute();
  const left = await tx.db.selectFrom("holds").select("owner").limit(1).executeTakeFirst();
  return left !== undefined;
}

const hasExpired = (tx: Tx) => (eb: ExpressionBuilder<Schema, "holds">) =>
  eb.or([
    eb("heartbeat", "<", sql<number>`${tx.leaseClock} - ${LEASE_SECONDS * 1000}`),
    // A heartbeat far in the future is from before the machine's last boot, when its clock was ahead.
    // A small difference proves no boot: a database's clock may have been set back.
    eb("heartbeat", ">", sql<number>`${tx.leaseClock} + ${LEASE_SECONDS * 1000}`),
  ]);
