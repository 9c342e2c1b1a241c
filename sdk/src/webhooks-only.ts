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
