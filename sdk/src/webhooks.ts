import type { DeliveryObject, WebhookObject } from "../../contract/api.ts";
import type { BaseClient } from "./base-client.ts";
import type { Body, Data, Query } from "./connection/call.ts";
import { momentOf } from "./connection/moment-of.ts";
import type { CallOptions } from "./connection/options.ts";

export type NewWebhook = Body<"createWebhook">;
export type WebhookChange = Omit<Body<"changeWebhook">, "id">;
/** The webhook, and the secret for `verifyWebhook`, which cannot be read again. */
export type CreatedWebhook = Data<"createWebhook">;
/** `deliveries` has the newest first. */
export type DeliveryPage = Data<"listDeliveries">;

export interface RotateWebhookOptions extends CallOptions {
  /** Seconds for which deliveries are signed with the old secret, too. Default: 86,400, a day. */
  readonly oldSecretExpiresIn?: number | undefined;
}

/** Webhooks. Every method throws a `HoldallError` if the request fails; 404: unknown. */
export interface Webhooks {
  /** Oldest first. */
  list(options?: CallOptions): Promise<WebhookObject[]>;
  create(webhook: NewWebhook, options?: CallOptions): Promise<CreatedWebhook>;
  /** Changes a webhook. A field that is left out stays. `active: false` pauses it. */
  change(id: string, change: WebhookChange, options?: CallOptions): Promise<WebhookObject>;
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Sends an event of type `webhook.test` now. Returns the result, whatever the receiver answers. */
  test(id: string, options?: CallOptions): Promise<DeliveryObject>;
  /** Sends the changes since a moment again, as far as the change feed has them: 7 days. */
  replay(
    id: string,
    options: CallOptions & { readonly since: Date | string },
  ): Promise<WebhookObject>;
  rotate(id: string, options?: RotateWebhookOptions): Promise<CreatedWebhook>;
  /** One page, newest first. Default limit: 50. */
  deliveries(options: Query<"listDeliveries"> & CallOptions): Promise<DeliveryPage>;
}

/** The webhooks of a client. Not a property of it, so that pages without webhooks do not load this. */
export function webhooksOf(holdall: Pick<BaseClient, "call">): Webhooks {
  return {
    list: async ({ signal } = {}) => (await holdall.call("listWebhooks", { signal })).webhooks,
    create: (body, { signal } = {}) => holdall.call("createWebhook", { body, signal }),
    change: async (id, change, { signal } = {}) =>
      (await holdall.call("changeWebhook", { body: { ...change, id }, signal })).webhook,
    async delete(id, { signal } = {}) {
      await holdall.call("deleteWebhook", { body: { id }, signal });
    },
    test: async (id, { signal } = {}) =>
      (await holdall.call("testWebhook", { body: { id }, signal })).delivery,
    replay: async (id, { since, signal }) =>
      (await holdall.call("replayWebhook", { body: { id, since: momentOf(since) }, signal }))
        .webhook,
    rotate: (id, { oldSecretExpiresIn, signal } = {}) =>
      holdall.call("rotateWebhook", { body: { id, oldSecretExpiresIn }, signal }),
    deliveries: ({ signal, ...query }) => holdall.call("listDeliveries", { query, signal }),
  };
}
