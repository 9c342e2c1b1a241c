import type { Actor } from "../../domain/activity.ts";
import type { Millis } from "../../domain/records.ts";
import type { DeliveryRecord, WebhookRecord } from "../../domain/webhooks.ts";

export interface WebhooksTable {
  id: string;
  name: string;
  url: string;
  secret_sealed: string;
  old_secret_sealed: string | null;
  old_secret_ends_at: Millis | null;
  /** Separated by commas. */
  kinds: string;
  folder_id: string | null;
  maker_kind: Actor["kind"];
  maker_id: string | null;
  maker_name: string | null;
  cursor_seq: number;
  cursor_check: string;
  /** JSON of `WebhookRecord.places`. */
  places: string;
  state: WebhookRecord["state"];
  reason: string | null;
  version: number;
  tries: number;
  failing_since: Millis | null;
  next_at: Millis | null;
  /** The sender that has it; null: none. */
  lease_owner: string | null;
  /** By the lease clock. */
  lease_until: number;
  created_at: Millis;
}

export interface DeliveriesTable {
  id: string;
  webhook_id: string;
  event_id: string;
  kind: string;
  key: string | null;
  state: DeliveryRecord["state"];
  tries: number;
  status: number | null;
  ms: number | null;
  error: string | null;
  response: string | null;
  /** JSON. */
  data: string | null;
  at: Millis;
}
