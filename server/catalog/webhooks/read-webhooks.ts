import { sql } from "kysely";
import type { Millis } from "../../domain/records.ts";
import type { DeliveryRecord, WebhookRecord } from "../../domain/webhooks.ts";
import type { Engine } from "../engine/engine.ts";
import type { DueWebhook, WaitingDeliveries, WebhookLedger } from "../port/webhooks.ts";
import { selectDeliveries, selectWebhooks, toDelivery, toWebhook } from "./select-webhooks.ts";

/** Literally as the index `deliveries_queued` says it: with parameters, databases do not know that it may be used. */
const isQueued = sql<boolean>`state <> 'delivered' and data is not null`;
/** The few that wait are read once, not for each webhook. */
const hasQueued = sql<boolean>`id in (select webhook_id from deliveries where ${isQueued})`;

export function createWebhookQueries({ db }: Pick<Engine, "db">) {
  return {
    async webhookById(id: string): Promise<WebhookRecord | undefined> {
      const row = await selectWebhooks(db).where("id", "=", id).executeTakeFirst();
      return row && toWebhook(row);
    },
    async listWebhooks(): Promise<WebhookRecord[]> {
      return (await selectWebhooks(db).orderBy("id").execute()).map(toWebhook);
    },
    async hasActiveWebhooks(): Promise<boolean> {
      const row = await db
        .selectFrom("webhooks")
        .select("id")
        .where("state", "=", "active")
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    async dueWebhooks(feedEnd: number, now: Millis): Promise<DueWebhook[]> {
      const rows = await db
        .selectFrom("webhooks")
        .select(["id", hasQueued.as("has_queued")])
        .where("state", "=", "active")
        .where((eb) => eb.or([eb("next_at", "is", null), eb("next_at", "<=", now)]))
        .where((eb) =>
          eb.or([
            // A catalog that was restored or moved may have a shorter feed.
            eb("cursor_seq", "!=", feedEnd),
            hasQueued,
          ]),
        )
        .orderBy("id")
        .execute();
      return rows.map(({ id, has_queued }) => ({ id, hasQueued: Boolean(has_queued) }));
    },
    async waitingDeliveries(feedEnd: number): Promise<WaitingDeliveries> {
      const rows = await db
        .selectFrom("webhooks")
        .select(["state", "cursor_seq"])
        .select(
          sql<number>`(select count(*) from deliveries where webhook_id = webhooks.id and ${isQueued})`.as(
            "queued",
          ),
        )
        .where("state", "in", ["active", "paused"])
        .execute();
      const waiting = { active: 0, paused: 0 };
      for (const { state, cursor_seq, queued } of rows) {
        // A catalog that was restored or moved may have a shorter feed.
        if (state !== "off") waiting[state] += Math.max(0, feedEnd - cursor_seq) + Number(queued);
      }
      return waiting;
    },
    async queuedDeliveries(webhookId: string, limit: number): Promise<DeliveryRecord[]> {
      const rows = await selectDeliveries(db)
        .where("webhook_id", "=", webhookId)
        .where(isQueued)
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(toDelivery);
    },
    async listDeliveries(
      webhookId: string,
      { before, limit }: Parameters<WebhookLedger["listDeliveries"]>[1],
    ): Promise<DeliveryRecord[]> {
      const rows = await selectDeliveries(db)
        .where("webhook_id", "=", webhookId)
        .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map(toDelivery);
    },
  };
}
