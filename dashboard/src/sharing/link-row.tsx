import { ExternalLink } from "lucide-react";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { IconButton } from "../components/icon-button.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { formatCaps, formatVisits, KIND_LABELS, linkName, stateBadge } from "./describe-link.ts";
import { LinkSubject } from "./link-subject.tsx";
import { linkUrl } from "./link-url.ts";

export interface LinkRowProps {
  readonly link: LinkObject;
  /** Whether it shows what the link shares. */
  readonly showsSubject: boolean;
  readonly onEdit: () => void;
  readonly onRevoke: () => void;
}

/** One link: whether it works, how often it was used, its limits, and its actions. */
export function LinkRow({ link, showsSubject, onEdit, onRevoke }: LinkRowProps) {
  const url = linkUrl(link);
  const name = linkName(link);
  const state = stateBadge(link);
  const caps = formatCaps(link);
  const isRevoked = link.state === "revoked";
  const works = link.state === "active";
  const canChange = link.state !== "unavailable";
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-3 [contain-intrinsic-size:auto_5rem] [content-visibility:auto] first:border-t-0">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="min-w-0 truncate font-medium" title={name}>
            {name}
          </bdi>
          {state && (
            <span title={state.hint}>
              <Badge tone={state.tone}>{state.text}</Badge>
            </span>
          )}
          {link.kind === "drop" && <Badge tone="accent">{KIND_LABELS.drop}</Badge>}
          {link.hasPassword && <Badge>Password</Badge>}
          {link.downloadOnly && <Badge>Downloads only</Badge>}
        </div>
        {showsSubject && <LinkSubject link={link} />}
        <p className="flex flex-wrap gap-x-3 text-muted text-sm tabular-nums">
          <span>{formatVisits(link)}</span>
          {caps && <span>{caps}</span>}
          {link.expiresAt !== null && (
            <span>
              {link.state === "expired" ? "Expired" : "Expires"}{" "}
              <Timestamp at={link.expiresAt} length="long" />
            </span>
          )}
          <span>
            Created <Timestamp at={link.createdAt} length="long" />
            {link.createdBy.name !== null && (
              <>
                {" by "}
                <bdi className="break-words">{link.createdBy.name}</bdi>
              </>
            )}
          </span>
        </p>
      </div>
      {!isRevoked && (
        <div className="flex flex-wrap items-center gap-2">
          {!works ? null : url === undefined ? (
            <span className="text-muted text-sm">
              Its URL can't be shown: <code>AUTH_SECRET</code> has changed.
            </span>
          ) : (
            <>
              <IconButton
                label={`Open ${name}`}
                data-tooltip="Open in a new tab"
                Icon={ExternalLink}
                onClick={() => window.open(url, "_blank", "noopener")}
              />
              <CopyButton text={url} label={`link to ${name}`} />
            </>
          )}
          {canChange && (
            <Button size="sm" aria-label={`Edit ${name}`} onClick={onEdit}>
              Edit…
            </Button>
          )}
          <Button size="sm" aria-label={`Revoke ${name}`} onClick={onRevoke}>
            Revoke…
          </Button>
        </div>
      )}
    </li>
  );
}
