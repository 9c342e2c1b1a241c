import type { Kysely } from "kysely";
import type { DeliveryRecord, WebhookPlace, WebhookRecord } from "../../domain/webhooks.ts";
import type { Schema } from "../engine/schema.ts";
import type { DeliveriesTable, WebhooksTable } from "../tables/webhooks.ts";

export const selectWebhooks = (db: Kysely<Schema>) => db.selectFrom("webhooks").selectAll();
export const selectDeliveries = (db: Kysely<Schema>) => db.selectFrom("deliveries").selectAll();

export const toWebhook = (row: WebhooksTable): WebhookRecord => ({
  id: row.id,
  name: row.name,
  url: row.url,
  secret: row.secret_sealed,
  oldSecret: row.old_secret_sealed,
  oldSecretEndsAt: row.old_secret_ends_at,
  kinds: row.kinds === "" ? [] : row.kinds.split(","),
  folderId: row.folder_id,
  maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name },
  cursor: { seq: row.cursor_seq, check: row.cursor_check },
  places: placesOf(row.places),
  state: row.state,
  reason: row.reason,
  version: row.version,
  tries: row.tries,
  failingSince: row.failing_since,
  nextAt: row.next_at,
  createdAt: row.created_at,
});

function placesOf(text: string): readonly WebhookPlace[] {
  return JSON.parse(text);
}

export const toDelivery = ({
  webhook_id: webhookId,
  event_id: eventId,
  ...rest
}: DeliveriesTable): DeliveryRecord => ({ ...rest, webhookId, eventId });

export const deliveryRow = ({
  webhookId: webhook_id,
  eventId: event_id,
  ...rest
}: DeliveryRecord): DeliveriesTable => ({ ...rest, webhook_id, event_id });
