import { sql } from "kysely";
import { Fault } from "../../domain/faults/fault.ts";
import type { Millis } from "../../domain/records.ts";
import type { DeliveryRecord, WebhookRecord } from "../../domain/webhooks.ts";
import { newId } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";
import { type Settlement, WEBHOOK_LEASE_MS, type WebhookChange } from "../port/webhooks.ts";
import type { WebhooksTable } from "../tables/webhooks.ts";
import { deliveryRow, selectWebhooks, toWebhook } from "./select-webhooks.ts";

export async function addWebhook(tx: Tx, webhook: WebhookRecord, max: number): Promise<void> {
  await tx.lockName("webhooks");
  const { count } = await tx.db
    .selectFrom("webhooks")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(count) >= max) throw new Fault("conflict", `There are ${max} webhooks already.`);
  await tx.db
    .insertInto("webhooks")
    .values({
      id: webhook.id,
      name: webhook.name,
      url: webhook.url,
      secret_sealed: webhook.secret,
      old_secret_sealed: webhook.oldSecret,
      old_secret_ends_at: webhook.oldSecretEndsAt,
      kinds: webhook.kinds.join(","),
      folder_id: webhook.folderId,
      maker_kind: webhook.maker.kind,
      maker_id: webhook.maker.id,
      maker_name: webhook.maker.name,
      cursor_seq: webhook.cursor.seq,
      cursor_check: webhook.cursor.check,
      places: JSON.stringify(webhook.places),
      state: webhook.state,
      reason: webhook.reason,
      version: webhook.version,
      tries: webhook.tries,
      failing_since: webhook.failingSince,
      next_at: webhook.nextAt,
      lease_owner: null,
      lease_until: 0,
      created_at: webhook.createdAt,
    })
    .execute();
}

export async function changeWebhook(
  tx: Tx,
  { id, triesAgain = false, expected, ...change }: WebhookChange,
): Promise<WebhookRecord | "outdated" | undefined> {
  const row = await selectWebhooks(tx.db).where("id", "=", id).forUpdate().executeTakeFirst();
  if (row === undefined) return undefined;
  if (expected !== undefined && !isAsExpected(row, expected)) return "outdated";
  const { name, url, kinds, folderId, state, reason, cursor, places } = change;
  const columns: Partial<WebhooksTable> = {
    version: row.version + 1,
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(kinds === undefined ? {} : { kinds: kinds.join(",") }),
    ...(folderId === undefined ? {} : { folder_id: folderId }),
    ...(state === undefined ? {} : { state }),
    ...(reason === undefined ? {} : { reason }),
    ...(cursor === undefined ? {} : { cursor_seq: cursor.seq, cursor_check: cursor.check }),
    ...(places === undefined ? {} : { places: JSON.stringify(places) }),
    ...(change.secret === undefined ? {} : { secret_sealed: change.secret }),
    ...(change.oldSecret === undefined ? {} : { old_secret_sealed: change.oldSecret }),
    ...(change.oldSecretEndsAt === undefined ? {} : { old_secret_ends_at: change.oldSecretEndsAt }),
    ...(triesAgain ? { tries: 0, failing_since: null, next_at: null } : {}),
  };
  await tx.db.updateTable("webhooks").set(columns).where("id", "=", id).execute();
  return toWebhook({ ...row, ...columns });
}

const isAsExpected = (
  row: WebhooksTable,
  { version, cursor }: NonNullable<WebhookChange["expected"]>,
): boolean =>
  row.version === version &&
  (cursor === undefined || (row.cursor_seq === cursor.seq && row.cursor_check === cursor.check));

export async function removeWebhook(tx: Tx, id: string): Promise<boolean> {
  const removed = await tx.db.deleteFrom("webhooks").where("id", "=", id).executeTakeFirst();
  await tx.db.deleteFrom("deliveries").where("webhook_id", "=", id).execute();
  return removed.numDeletedRows > 0n;
}

export async function claimWebhooks(
  tx: Tx,
  ids: readonly string[],
  owner: string,
): Promise<WebhookRecord[]> {
  if (ids.length === 0) return [];
  const rows = await selectWebhooks(tx.db)
    .where("id", "in", ids)
    .where("state", "=", "active")
    .orderBy("id")
    .forUpdate()
    .execute();
  const free = rows.filter((row) => row.lease_owner === null || !isHeld(tx, row));
  if (free.length === 0) return [];
  await tx.db
    .updateTable("webhooks")
    .set({ lease_owner: owner, lease_until: tx.leaseTime + WEBHOOK_LEASE_MS })
    .where(
      "id",
      "in",
      free.map(({ id }) => id),
    )
    .execute();
  return free.map(toWebhook);
}

/** An end that is far ahead is from before the machine's last boot. */
const isHeld = (tx: Tx, { lease_until: end }: Pick<WebhooksTable, "lease_until">): boolean =>
  end > tx.leaseTime && end <= tx.leaseTime + WEBHOOK_LEASE_MS;

export async function settleWebhooks(
  tx: Tx,
  settlements: readonly Settlement[],
): Promise<boolean[]> {
  const results: boolean[] = settlements.map(() => false);
  // In a fixed order, so that two transactions cannot deadlock.
  const inOrder = settlements
    .map((settlement, index) => ({ settlement, index }))
    .toSorted((a, b) => (a.settlement.id < b.settlement.id ? -1 : 1));
  for (const { settlement, index } of inOrder) results[index] = await settle(tx, settlement);
  return results;
}

async function settle(tx: Tx, { id, owner, version, ...done }: Settlement): Promise<boolean> {
  const saved = await tx.db
    .updateTable("webhooks")
    .set({
      cursor_seq: done.cursor.seq,
      cursor_check: done.cursor.check,
      places: JSON.stringify(done.places),
      state: done.state,
      reason: done.reason,
      tries: done.tries,
      failing_since: done.failingSince,
      next_at: done.nextAt,
      lease_owner: done.keeps ? owner : null,
      lease_until: done.keeps ? tx.leaseTime + WEBHOOK_LEASE_MS : 0,
    })
    .where("id", "=", id)
    .where("lease_owner", "=", owner)
    .where("version", "=", version)
    .executeTakeFirst();
  const isSaved = saved.numUpdatedRows > 0n;
  if (isSaved) {
    for (const delivery of done.deliveries) await addDelivery(tx, delivery);
  } else {
    // It was changed meanwhile: the next sender begins with what it is now.
    await tx.db
      .updateTable("webhooks")
      .set({ lease_owner: null, lease_until: 0 })
      .where("id", "=", id)
      .where("lease_owner", "=", owner)
      .execute();
  }
  return isSaved;
}

export async function releaseWebhooks(tx: Tx, owner: string | null): Promise<void> {
  await tx.db
    .updateTable("webhooks")
    .set({ lease_owner: null, lease_until: 0 })
    .$if(owner !== null, (query) => query.where("lease_owner", "=", owner))
    .where("lease_owner", "is not", null)
    .execute();
}

export async function addDelivery(tx: Tx, delivery: DeliveryRecord): Promise<void> {
  const { id: _, event_id: __, webhook_id: ___, ...rest } = deliveryRow(delivery);
  await tx.db
    .insertInto("deliveries")
    .values(deliveryRow(delivery))
    .onConflict((conflict) => conflict.columns(["webhook_id", "event_id"]).doUpdateSet(rest))
    .execute();
}

export async function queueWebhookEvent(
  tx: Tx,
  { kind, data }: { readonly kind: string; readonly data: string },
): Promise<void> {
  const all = (await selectWebhooks(tx.db).where("places", "=", "[]").execute()).map(toWebhook);
  for (const { id: webhookId, kinds, state } of all) {
    if (state === "off" || (kinds.length > 0 && !kinds.includes(kind))) continue;
    const id = newId(tx.now);
    await addDelivery(tx, {
      ...{ id, webhookId, eventId: id, kind, key: null, state: "queued", tries: 0, status: null },
      ...{ ms: null, error: null, response: null, data, at: tx.now },
    });
  }
}

export async function pruneDeliveries(tx: Tx, before: Millis, keep: number): Promise<void> {
  const webhooks = await tx.db.selectFrom("webhooks").select("id").execute();
  for (const { id } of webhooks) {
    const last = await tx.db
      .selectFrom("deliveries")
      .select("id")
      .where("webhook_id", "=", id)
      .orderBy("id", "desc")
      .offset(keep)
      .limit(1)
      .executeTakeFirst();
    await tx.db
      .deleteFrom("deliveries")
      .where("webhook_id", "=", id)
      .where((eb) =>
        eb.or([
          eb.and([eb("at", "<", before), sql<boolean>`(state = 'delivered' or data is null)`]),
          ...(last === undefined ? [] : [eb("id", "<=", last.id)]),
        ]),
      )
      .execute();
  }
}
