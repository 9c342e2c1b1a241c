import type { ExpressionBuilder, Kysely } from "kysely";
import { sql } from "kysely";
import { MAX_BLOCK } from "../../domain/blob-id.ts";
import { chunks } from "../engine/chunks.ts";
import type { Schema } from "../engine/schema.ts";
import type { Tx } from "../engine/tx.ts";
import { CLOSED_SECONDS, LEASE_SECONDS, type LeaseState } from "../port/blob-ledger.ts";
import { selectKnownBlobs } from "./known-blobs.ts";

/** The owner of a released lease. */
export const RELEASED = "";
/** The owner of a closed block; `heartbeat` is when it was closed. No process has this id. */
export const CLOSED = "closed";

export async function leaseBlock(tx: Tx, owner: string): Promise<number> {
  let block = randomBlock();
  while (await isKnown(tx.db, block)) block = randomBlock();
  await tx.db
    .insertInto("blob_leases")
    .values({ block, owner, heartbeat: tx.leaseClock })
    .execute();
  return block;
}

/** Random, not counted: a catalog restored from an older backup must not repeat a block. */
function randomBlock(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high * 2 ** 32 + low) % (MAX_BLOCK + 1);
}

async function isKnown(db: Kysely<Schema>, block: number): Promise<boolean> {
  const lease = await db
    .selectFrom("blob_leases")
    .select("block")
    .where("block", "=", block)
    .executeTakeFirst();
  return lease !== undefined || (await selectKnownBlobs(db, block).execute()).length > 0;
}

export async function renewLeases(tx: Tx, owner: string, blocks: readonly number[]): Promise<void> {
  for (const chunk of chunks(blocks)) {
    await tx.db
      .updateTable("blob_leases")
      .set({ heartbeat: tx.leaseClock })
      .where("owner", "=", owner)
      .where("block", "in", chunk)
      .execute();
  }
}

export async function releaseExpiredLeases(tx: Tx): Promise<number[]> {
  // Skips leases that an addFiles has locked: the next call gets them.
  const expired = tx.db
    .selectFrom("blob_leases")
    .select("block")
    .where("owner", "<>", CLOSED)
    .where(hasExpired(tx))
    .forUpdate()
    .skipLocked();
  await tx.db
    .updateTable("blob_leases")
    .set({ owner: RELEASED })
    .where("block", "in", expired)
    .execute();
  const released = await tx.db
    .selectFrom("blob_leases")
    .select("block")
    .where("owner", "=", RELEASED)
    .execute();
  return released.map(({ block }) => block);
}

/** Whether the lease was not renewed for this many seconds. */
function hasExpired(tx: Tx, seconds = LEASE_SECONDS) {
  return ({ eb }: ExpressionBuilder<Schema, "blob_leases">) =>
    eb.or([
      eb("heartbeat", "<", sql<number>`${tx.leaseClock} - ${seconds * 1000}`),
      // A heartbeat far in the future is from before the machine's last boot, when its clock was ahead.
      // A small difference proves no boot: a database's clock may have been set back.
      eb("heartbeat", ">", sql<number>`${tx.leaseClock} + ${LEASE_SECONDS * 1000}`),
    ]);
}

/** Waits for changes that are adding files on the lease. */
export async function releaseLease(tx: Tx, block: number): Promise<void> {
  await tx.lockRows(tx.db.selectFrom("blob_leases").select("block").where("block", "=", block));
  await tx.db
    .updateTable("blob_leases")
    .set({ owner: RELEASED })
    .where("block", "=", block)
    .execute();
}

/** Waits for changes that are adding files on the leases. */
export async function releaseLeasesOf(tx: Tx, owner: string): Promise<void> {
  const leases = tx.db.selectFrom("blob_leases").select("block").where("owner", "=", owner);
  await tx.lockRows(leases.orderBy("block"));
  await tx.db
    .updateTable("blob_leases")
    .set({ owner: RELEASED })
    .where("owner", "=", owner)
    .execute();
  await tx.db.updateTable("uploads").set({ writer: null }).where("writer", "=", owner).execute();
}

export async function leaseState(tx: Tx, block: number): Promise<LeaseState> {
  const ofBlock = tx.db.selectFrom("blob_leases").select("owner").where("block", "=", block);
  const lease = await ofBlock.executeTakeFirst();
  if (lease === undefined) return "none";
  if (lease.owner === RELEASED) return "released";
  if (lease.owner === CLOSED) return "closed";
  if ((await ofBlock.where(hasExpired(tx)).executeTakeFirst()) === undefined) return "active";
  const unswept = await ofBlock.where(hasExpired(tx, 2 * LEASE_SECONDS)).executeTakeFirst();
  return unswept === undefined ? "due" : "expired";
}

export async function endLease(tx: Tx, block: number): Promise<void> {
  await tx.db.deleteFrom("blob_leases").where("block", "=", block).execute();
}

export async function closeBlock(tx: Tx, block: number): Promise<void> {
  await tx.db
    .updateTable("blob_leases")
    .set({ owner: CLOSED, heartbeat: tx.leaseClock })
    .where("block", "=", block)
    .execute();
}

export async function blocksClosedLongAgo(tx: Tx): Promise<number[]> {
  // From before the machine's last boot: the time begins anew.
  await tx.db
    .updateTable("blob_leases")
    .set({ heartbeat: tx.leaseClock })
    .where("owner", "=", CLOSED)
    .where("heartbeat", ">", sql<number>`${tx.leaseClock} + ${LEASE_SECONDS * 1000}`)
    .execute();
  const closed = await tx.db
    .selectFrom("blob_leases")
    .select("block")
    .where("owner", "=", CLOSED)
    .where("heartbeat", "<", sql<number>`${tx.leaseClock} - ${CLOSED_SECONDS * 1000}`)
    .execute();
  return closed.map(({ block }) => block);
}
