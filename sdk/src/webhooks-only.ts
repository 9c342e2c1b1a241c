// biome-ignore lint/performance/noBarrelFile: this is the entry `@holdall/sdk/webhooks`.
export {
  type ChangeEvent,
  type OtherEvent,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookSignatureError,
} from "./verify-webhook.ts";
export {
  type CreatedWebhook,
  type DeliveryPage,
  type NewWebhook,
  type RotateWebhookOptions,
  type WebhookChange,
  type Webhooks,
  webhooksOf,
} from "./webhooks.ts";
