import { sql } from "kysely";
import type { Millis } from "../../domain/records.ts";
import type { DeliveryRecord, WebhookRecord } from "../../domain/webhooks.ts";
import type { Engine } from "../engine/engine.ts";
import type { WaitingDeliveries, WebhookLedger } from "../port/webhooks.ts";
import { selectDeliveries, selectWebhooks, toDelivery, toWebhook } from "./select-webhooks.ts";

export function createWebhookQueries({ db }: Pick<Engine, "db">) {
  return {
    async webhookById(id: string): Promise<WebhookRecord | undefined> {
      const row = await selectWebhooks(db).where("id", "=", id).executeTakeFirst();
      return row && toWebhook(row);
    },
    async listWebhooks(): Promise<WebhookRecord[]> {
      return (await selectWebhooks(db).orderBy("id").execute()).map(toWebhook);
    },
    async dueWebhooks(feedEnd: number, now: Millis): Promise<string[]> {
      const rows = await db
        .selectFrom("webhooks")
        .select("id")
        .where("state", "=", "active")
        .where((eb) => eb.or([eb("next_at", "is", null), eb("next_at", "<=", now)]))
        .where((eb) =>
          eb.or([
            // A catalog that was restored or moved may have a shorter feed.
            eb("cursor_seq", "!=", feedEnd),
            sql<boolean>`exists (select 1 from deliveries where webhook_id = webhooks.id and state <> 'delivered' and data is not null)`,
          ]),
        )
        .orderBy("id")
        .execute();
      return rows.map(({ id }) => id);
    },
    async waitingDeliveries(feedEnd: number): Promise<WaitingDeliveries> {
      const rows = await db
        .selectFrom("webhooks")
        .select(["state", "cursor_seq"])
        .select(
          sql<number>`(select count(*) from deliveries where webhook_id = webhooks.id and state <> 'delivered' and data is not null)`.as(
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
        .where("state", "!=", "delivered")
        .where("data", "is not", null)
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
