import { createHmac, randomBytes } from "node:crypto";

/* Secrets and signatures of Standard Webhooks (github.com/standard-webhooks/standard-webhooks). */

const PREFIX = "whsec_";

export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(24).toString("base64")}`;

export interface SignedMessage {
  readonly id: string;
  /** In seconds since the Unix epoch. */
  readonly timestamp: number;
  readonly body: string;
}

/** The value of `webhook-signature`: one signature for each secret, of which a receiver knows one. */
export function signMessage(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): string {
  const content = `${id}.${timestamp}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), "base64");
      return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
    })
    .join(" ");
}
