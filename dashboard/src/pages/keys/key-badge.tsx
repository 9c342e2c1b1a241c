import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";
import { Badge } from "../../components/badge.tsx";
import { Moment } from "../../components/moment.tsx";
import { untilText } from "../../text/duration.ts";
import { fullMomentText, parseMoment } from "../../text/moment.ts";
import { stateOf } from "./key-end.ts";

/** When a key expires, with a warning if that is soon. */
export function KeyBadge({ apiKey }: { readonly apiKey: ApiKeyObject }) {
  const { expiresAt } = apiKey;
  if (expiresAt === null) return null;
  const now = new Date();
  const state = stateOf(apiKey, now);
  if (state === "expired") {
    return (
      <Badge tone="bad">
        Expired <Moment at={expiresAt} />
      </Badge>
    );
  }
  if (state === "soon") {
    return (
      <Badge tone="warn">
        <span title={fullMomentText(expiresAt)}>
          Expires soon, {untilText(parseMoment(expiresAt).getTime() - now.getTime())}
        </span>
      </Badge>
    );
  }
  return (
    <Badge>
      Expires <Moment at={expiresAt} />
    </Badge>
  );
}
