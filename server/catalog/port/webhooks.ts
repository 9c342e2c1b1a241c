import type { Millis } from "../../domain/records.ts";
import type { FeedPosition } from "../../domain/tree-change.ts";
import type { DeliveryRecord, WebhookRecord } from "../../domain/webhooks.ts";

/** How long a sender has a webhook to itself after each sign of life, by the lease clock. */
export const WEBHOOK_LEASE_MS = 20_000;

/** Webhooks and their deliveries. Callers check what a request may do. */
export interface WebhookLedger {
  /** Fault "conflict": there are `max` already. */
  addWebhook(webhook: WebhookRecord, max: number): Promise<void>;
  webhookById(id: string): Promise<WebhookRecord | undefined>;
  /** All, oldest first. */
  listWebhooks(): Promise<WebhookRecord[]>;
  /**
   * A sender that has it stops after its current delivery. Returns undefined if there is no such webhook, and "outdated"
   * if it is not as the change expects, in which case nothing was changed.
   */
  changeWebhook(change: WebhookChange): Promise<WebhookRecord | "outdated" | undefined>;
  /** With its deliveries. false: there is no such webhook. */
  removeWebhook(id: string): Promise<boolean>;
  hasActiveWebhooks(): Promise<boolean>;
  /** The active webhooks that have something to send: queued events, or what the feed has up to its end. */
  dueWebhooks(feedEnd: number, now: Millis): Promise<DueWebhook[]>;
  /** Gives webhooks to a sender, except those that another one has, or that are not active. */
  claimWebhooks(ids: readonly string[], owner: string): Promise<WebhookRecord[]>;
  /**
   * Saves what senders have done, and renews or ends their leases. false for each one whose sender has lost the
   * webhook: another one has it, or it was changed or removed. Nothing is saved for it.
   */
  settleWebhooks(settlements: readonly Settlement[]): Promise<boolean[]>;
  /** Ends the leases of a sender that is dead; null: of all senders. */
  releaseWebhooks(owner: string | null): Promise<void>;
  /** For each webhook of everything that wants this type. */
  queueWebhookEvent(event: { readonly kind: string; readonly data: string }): Promise<void>;
  /** Counts the events that wait, by the state of their webhook. `feedEnd`: the feed counts up to here. */
  waitingDeliveries(feedEnd: number): Promise<WaitingDeliveries>;
  /** Oldest first. */
  queuedDeliveries(webhookId: string, limit: number): Promise<DeliveryRecord[]>;
  addDelivery(delivery: DeliveryRecord): Promise<void>;
  /** Newest first. `before`: an id. */
  listDeliveries(
    webhookId: string,
    page: { readonly before?: string | undefined; readonly limit: number },
  ): Promise<DeliveryRecord[]>;
  /** Removes those that are older, except queued ones, and the oldest of each webhook that has more than `keep`. */
  pruneDeliveries(before: Millis, keep: number): Promise<void>;
}

export interface DueWebhook {
  readonly id: string;
  /** Whether it has queued events. */
  readonly hasQueued: boolean;
}

/** By the state of the webhook. Those that are off do not wait for anything. */
export type WaitingDeliveries = Readonly<Record<"active" | "paused", number>>;

type Changeable = Pick<
  WebhookRecord,
  | "name"
  | "url"
  | "kinds"
  | "folderId"
  | "state"
  | "reason"
  | "cursor"
  | "places"
  | "secret"
  | "oldSecret"
  | "oldSecretEndsAt"
>;

/** What is left out stays. */
export type WebhookChange = {
  readonly [Field in keyof Changeable]?: Changeable[Field] | undefined;
} & {
  readonly id: string;
  /** Forgets failed attempts, so that the next one is made at once. */
  readonly triesAgain?: boolean;
  /** The version, and perhaps the cursor, from which the change was computed. Each settlement moves the cursor. */
  readonly expected?: Pick<WebhookRecord, "version"> & Partial<Pick<WebhookRecord, "cursor">>;
};

export interface Settlement
  extends Pick<
    WebhookRecord,
    | "id"
    | "version"
    | "cursor"
    | "places"
    | "state"
    | "reason"
    | "tries"
    | "failingSince"
    | "nextAt"
  > {
  readonly owner: string;
  /** Replace those of the same events. */
  readonly deliveries: readonly DeliveryRecord[];
  /** The sender goes on; otherwise its lease ends. */
  readonly keeps: boolean;
}

/** Places in the feed besides its end. */
export interface FeedPlaces {
  /** The first entry. */
  feedStart(): Promise<FeedPosition>;
  /** The entry before the first one from this moment or later; the first or the last one if there is none. */
  feedPositionAt(moment: Millis): Promise<FeedPosition>;
}
