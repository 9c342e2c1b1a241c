import type { DeliveryObject, WebhookObject } from "../../contract/api.ts";
import { type Body, call, type Data, type Query, reads, sends } from "./call.ts";
import { momentOf } from "./moment-of.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

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
  /** What is left out stays. `active: false` pauses it. */
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

export function createWebhooks(transport: Transport): Webhooks {
  const change = sends(transport, "changeWebhook", "webhook");
  const remove = sends(transport, "deleteWebhook", "deleted");
  const test = sends(transport, "testWebhook", "delivery");
  const replay = sends(transport, "replayWebhook", "webhook");
  return {
    list: reads(transport, "listWebhooks", "webhooks"),
    create: (body, { signal } = {}) => call(transport, "createWebhook", { body, signal }),
    change: (id, fields, options) => change({ ...fields, id }, options),
    async delete(id, options) {
      await remove({ id }, options);
    },
    test: (id, options) => test({ id }, options),
    replay: (id, { since, ...options }) => replay({ id, since: momentOf(since) }, options),
    rotate: (id, { oldSecretExpiresIn, signal } = {}) =>
      call(transport, "rotateWebhook", { body: { id, oldSecretExpiresIn }, signal }),
    deliveries: ({ signal, ...query }) => call(transport, "listDeliveries", { query, signal }),
  };
}
