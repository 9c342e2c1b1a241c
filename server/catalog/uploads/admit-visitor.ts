import { sql } from "kysely";
import type { Actor } from "../../domain/activity.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { isRunning } from "../../domain/links.ts";
import type { Tx } from "../engine/tx.ts";
import { selectLinks, toLink } from "../links/select-links.ts";
import { type BatchLimits, maxOpenOfClient, type VisitorOfLink } from "../port/batches.ts";
import { isOpenBatch } from "../records/select-uploads.ts";
import { deleteBatch, lockBatch } from "./batches.ts";
import { countOpenBatches } from "./count-open-uploads.ts";

/**
 * Admits a batch of a visitor. Past a limit, the oldest batch that nothing was sent to gives way: batches
 * that are only started must not keep others out. Faults: "not_found": the link has ended, or has another
 * password; "rate_limited": all batches have content.
 */
export async function admitVisitor(
  tx: Tx,
  maker: Actor,
  limits: BatchLimits & { readonly visitor: VisitorOfLink },
): Promise<void> {
  const { client, passwordVersion } = limits.visitor;
  // A change of the link waits for this batch, and then removes it.
  const row = await selectLinks(tx.db).where("id", "=", maker.id).forUpdate().executeTakeFirst();
  const link = row && toLink(row);
  const isOpen = link && isRunning(link, tx.now) && link.passwordVersion === passwordVersion;
  if (isOpen !== true) throw new Fault("not_found", "This link has ended, or was changed.");
  await makeRoom(tx, maker, maxOpenOfClient(limits), client);
  await makeRoom(tx, maker, limits.maxOpen, undefined);
}

/** `client`: counts only the batches of this one. */
async function makeRoom(
  tx: Tx,
  maker: Actor,
  maxOpen: number,
  client: string | undefined,
): Promise<void> {
  const count = await countOpenBatches(tx.db, maker, client);
  if (count < maxOpen) return;
  const id = await oldestEmpty(tx, maker, client);
  const batch = id === undefined ? undefined : await lockBatch(tx, id);
  // It may have got its first file before it was locked.
  if (batch === undefined || batch.state !== "open" || !(await isEmpty(tx, batch.id))) {
    throw new Fault(
      "rate_limited",
      "Too many files are being sent through this link. Try again in a few minutes.",
      { retryAfter: 60 },
    );
  }
  await deleteBatch(tx, batch.id);
}

const hasNothing = sql<boolean>`batches.used = 0 and batches.files = 0
  and not exists (select 1 from uploads where uploads.batch_id = batches.id)`;

/** Keeps the batch of a visitor from giving way, from the first byte of a form on. */
export async function keepBatch(tx: Tx, id: string): Promise<void> {
  await tx.db.updateTable("batches").set({ used: 1 }).where("id", "=", id).execute();
}

async function oldestEmpty(
  tx: Tx,
  { kind, id }: Actor,
  client: string | undefined,
): Promise<string | undefined> {
  const found = await tx.db
    .selectFrom("batches")
    .select("id")
    .where(isOpenBatch)
    .where("maker_kind", "=", kind)
    .where("maker_id", "=", id)
    .where((eb) => (client === undefined ? eb.lit(true) : eb("client", "=", client)))
    .where(hasNothing)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return found?.id;
}

async function isEmpty(tx: Tx, id: string): Promise<boolean> {
  const found = await tx.db
    .selectFrom("batches")
    .select("id")
    .where("id", "=", id)
    .where(hasNothing)
    .executeTakeFirst();
  return found !== undefined;
}
