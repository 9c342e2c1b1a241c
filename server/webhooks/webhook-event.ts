import { createHash } from "node:crypto";
import type { Millis } from "../domain/records.ts";
import type { FeedPosition } from "../domain/tree-change.ts";

/** What a webhook sends. */
export interface WebhookEvent {
  /** The same in all attempts. */
  readonly id: string;
  readonly type: string;
  readonly at: Millis;
  /** The key of the file or folder; null: another event. */
  readonly key: string | null;
  readonly data: object;
}

/** Standard Webhooks recommends that bodies stay below 20 KB. */
const MAX_BODY_BYTES = 20_000;

/** The id of an event of the feed for one webhook. It tells nothing of how much else has changed. */
export function feedEventId(webhookId: string, { seq, check }: FeedPosition, type = ""): string {
  const hash = createHash("sha256").update(`${webhookId} ${seq} ${check} ${type}`);
  return `msg_${hash.digest("base64url").slice(0, 27)}`;
}

/** JSON of `type`, `timestamp` and `data`. What would make it too long is left out, and `isShortened` is true. */
export function bodyOf({ type, at, data }: WebhookEvent): string {
  const timestamp = new Date(at).toISOString();
  const whole = JSON.stringify({ type, timestamp, data });
  if (Buffer.byteLength(whole) <= MAX_BODY_BYTES) return whole;
  // Two keys of 4,096 bytes remain.
  const short = { ...data, file: null, folder: null, isShortened: true };
  return JSON.stringify({ type, timestamp, data: short });
}
