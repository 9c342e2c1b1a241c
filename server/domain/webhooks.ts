import type { Actor } from "./activity.ts";
import type { Key, Millis } from "./records.ts";
import type { FeedPosition } from "./tree-change.ts";

/** Sends changes of the feed to a URL, in their order. Its cursor stays before a change until it is delivered. */
export interface WebhookRecord {
  /** A UUID that begins with the time of creation. */
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Encrypted. */
  readonly secret: string;
  /** The secret before the last rotation, encrypted; null: there is none. */
  readonly oldSecret: string | null;
  /** Until when deliveries are signed with the old secret, too. */
  readonly oldSecretEndsAt: Millis | null;
  /** The types of the events that it sends; none: all. */
  readonly kinds: readonly string[];
  /** Only changes in this folder; null: everywhere. */
  readonly folderId: string | null;
  /** The key or account whose rights it has. */
  readonly maker: Actor;
  /** Everything up to here was delivered, or is not for this webhook. */
  readonly cursor: FeedPosition;
  /** The places that the folders that limit it had at the cursor; none: it has no limit. */
  readonly places: readonly WebhookPlace[];
  /** paused: deliveries failed for too long, or somebody paused it; off: the receiver does not want it any more. */
  readonly state: "active" | "paused" | "off";
  /** Why it is not active; null: somebody paused it, or it is active. */
  readonly reason: string | null;
  /** Another one after each change by a request, which a sender does not know of. */
  readonly version: number;
  /** Failed attempts to deliver the next event. */
  readonly tries: number;
  /** When the first of them failed; null: none did. */
  readonly failingSince: Millis | null;
  /** No attempt before this moment; null: at once. */
  readonly nextAt: Millis | null;
  readonly createdAt: Millis;
}

/** A folder that limits a webhook, as the feed follows it. */
export interface WebhookPlace {
  readonly id: string;
  /** undefined: it was not in the tree. */
  readonly key?: Key | undefined;
  /** Where it was, if it was deleted: the id of the folder that was deleted, and the rest of the key below it. */
  readonly deleted?: { readonly id: string; readonly rest: string } | undefined;
}

/** The last attempt to deliver an event, or an event that waits. */
export interface DeliveryRecord {
  /** A UUID that begins with the time when the event was first sent, or queued. */
  readonly id: string;
  readonly webhookId: string;
  /** The same in all attempts, for `webhook-id`. */
  readonly eventId: string;
  readonly kind: string;
  /** The key of the file or folder that the event is about; null: another event. */
  readonly key: string | null;
  readonly state: "queued" | "failed" | "delivered";
  readonly tries: number;
  /** The status of the response; null: there was none. */
  readonly status: number | null;
  readonly ms: number | null;
  /** Why it failed; null: it did not. */
  readonly error: string | null;
  /** The beginning of the response's body; null: none. */
  readonly response: string | null;
  /** JSON of the event's data, for events that are not in the feed; null: it is in the feed. */
  readonly data: string | null;
  /** The time of the last attempt, or of the event's arrival in the queue. */
  readonly at: Millis;
}
