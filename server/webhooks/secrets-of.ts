import type { Sealer } from "../access/sealer.ts";
import type { Millis } from "../domain/records.ts";
import type { WebhookRecord } from "../domain/webhooks.ts";

/** The purpose of the sealer's key. */
export const WEBHOOK_PURPOSE = "holdall webhook secrets v1";

/** The secrets that sign now, the current one first. None: they were sealed with another AUTH_SECRET. */
export function secretsOf(
  { id, secret, oldSecret, oldSecretEndsAt }: WebhookRecord,
  sealer: Sealer,
  now: Millis,
): string[] {
  const current = sealer.open(secret, id);
  if (current === undefined) return [];
  const isOldValid = oldSecret !== null && oldSecretEndsAt !== null && now < oldSecretEndsAt;
  const old = isOldValid ? sealer.open(oldSecret, id) : undefined;
  return old === undefined ? [current] : [current, old];
}
