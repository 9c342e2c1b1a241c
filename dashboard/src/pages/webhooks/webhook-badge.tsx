import type { WebhookObject } from "../../../../sdk/src/holdall.ts";
import { Badge } from "../../components/badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { formatCount } from "../../text/format-count.ts";

/** The state of a webhook. */
export function WebhookBadge({ webhook }: { readonly webhook: WebhookObject }) {
  const { state, reason, failedAttempts, nextAttemptAt } = webhook;
  if (state === "off") return <Badge tone="bad">Off</Badge>;
  if (state === "paused") return <Badge tone={reason === null ? "plain" : "bad"}>Paused</Badge>;
  if (failedAttempts === 0) return <Badge tone="good">Active</Badge>;
  return (
    <Badge tone="warn">
      {formatCount(failedAttempts, "failed attempt")}
      {nextAttemptAt !== null && (
        <>
          , next <Timestamp at={nextAttemptAt} length="long" />
        </>
      )}
    </Badge>
  );
}
