import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";
import { Badge } from "../../components/badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { formatTimeUntil } from "../../text/format-duration.ts";
import { formatFullTimestamp, parseTimestamp } from "../../text/timestamp.ts";
import { keyStatus } from "./key-expiry.ts";

/** When a key expires, with a warning if that is soon. */
export function KeyBadge({ apiKey }: { readonly apiKey: ApiKeyObject }) {
  const { expiresAt } = apiKey;
  if (expiresAt === null) return null;
  const now = new Date();
  const status = keyStatus(apiKey, now);
  if (status === "expired") {
    return (
      <Badge tone="bad">
        Expired <Timestamp at={expiresAt} />
      </Badge>
    );
  }
  if (status === "soon") {
    return (
      <Badge tone="warn">
        <span title={formatFullTimestamp(expiresAt)}>
          Expires soon, {formatTimeUntil(parseTimestamp(expiresAt).getTime() - now.getTime())}
        </span>
      </Badge>
    );
  }
  return (
    <Badge>
      Expires <Timestamp at={expiresAt} />
    </Badge>
  );
}
