import { useState } from "react";
import type { ApiKeyObject, KeyTrafficPage, NewKey } from "../../../../sdk/src/holdall.ts";
import { Link } from "../../app/navigation/link.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Input } from "../../components/fields/input.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { formatCount } from "../../text/format-count.ts";
import { KeyBadge } from "./key-badge.tsx";
import { keyStatus } from "./key-expiry.ts";
import { KeyName } from "./key-name.tsx";
import { KeyScope } from "./key-scope.tsx";
import { requestsText } from "./requests-text.ts";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";
import { S3Dialog } from "./s3-dialog.tsx";

/** From this number of keys on, the list has a search field. */
const SEARCH_FROM = 8;

export interface KeyListProps {
  readonly keys: readonly ApiKeyObject[];
  /** undefined while unknown. */
  readonly traffic: KeyTrafficPage | undefined;
  readonly onRotated: (rotated: NewKey) => void;
}

export function KeyList({ keys, traffic, onRotated }: KeyListProps) {
  const [rotating, setRotating] = useState<ApiKeyObject>();
  const [revoking, setRevoking] = useState<ApiKeyObject>();
  const [connecting, setConnecting] = useState<ApiKeyObject>();
  const [query, setQuery] = useState("");
  const byId = new Map(keys.map((key) => [key.id, key]));
  const trafficById = new Map(traffic?.keys.map((each) => [each.id, each]));
  const needle = query.trim().toLowerCase();
  const matching = keys.filter(
    ({ name, prefix }) => name.toLowerCase().includes(needle) || prefix.startsWith(query.trim()),
  );
  return (
    <div className="flex flex-col gap-4">
      {keys.length >= SEARCH_FROM && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Input
            type="search"
            aria-label="Search keys"
            placeholder="Search by name or prefix"
            className="h-8! border-edge text-sm pointer-coarse:h-9! sm:max-w-80"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
          <p role="status" className="text-muted text-sm">
            {matching.length < keys.length
              ? `${matching.length} of ${formatCount(keys.length, "key")}`
              : formatCount(keys.length, "key")}
          </p>
        </div>
      )}
      {matching.length === 0 ? (
        <EmptyState
          title="No matching keys"
          action={<Button onClick={() => setQuery("")}>Show all keys</Button>}
        >
          <p>No key matches “{query.trim()}”.</p>
        </EmptyState>
      ) : (
        <Card>
          <ul>
            {matching.map((key) => (
              <KeyRow
                key={key.id}
                apiKey={key}
                parent={byId.get(key.parentId ?? "")}
                requests={
                  traffic && requestsText(trafficById.get(key.id), key.lastUsedAt, traffic.since)
                }
                onConnect={() => setConnecting(key)}
                onRotate={() => setRotating(key)}
                onRevoke={() => setRevoking(key)}
              />
            ))}
          </ul>
        </Card>
      )}
      {connecting && <S3Dialog apiKey={connecting} onClose={() => setConnecting(undefined)} />}
      {rotating && (
        <RotateKeyDialog
          apiKey={rotating}
          onClose={() => setRotating(undefined)}
          onRotated={(rotated) => {
            setRotating(undefined);
            onRotated(rotated);
          }}
        />
      )}
      {revoking && (
        <RevokeDialog
          apiKey={revoking}
          descendants={countDescendants(keys, revoking.id)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </div>
  );
}

/** The number of keys that a key has created, and that those have created, and so on. */
function countDescendants(keys: readonly ApiKeyObject[], id: string): number {
  const children = keys.filter(({ parentId }) => parentId === id);
  return children.reduce((sum, child) => sum + 1 + countDescendants(keys, child.id), 0);
}

interface KeyRowProps {
  readonly apiKey: ApiKeyObject;
  readonly parent: ApiKeyObject | undefined;
  readonly requests: string | undefined;
  readonly onConnect: () => void;
  readonly onRotate: () => void;
  readonly onRevoke: () => void;
}

/** `content-visibility` skips the layout of rows out of view, so thousands stay fast. */
function KeyRow({ apiKey, parent, requests, onConnect, onRotate, onRevoke }: KeyRowProps) {
  const isExpired = keyStatus(apiKey, new Date()) === "expired";
  const verb = isExpired ? "Remove" : "Revoke";
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-3 [contain-intrinsic-size:auto_5.75rem] [content-visibility:auto] first:border-t-0">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <div className="flex min-h-7 min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <KeyName apiKey={apiKey} />
          <KeyBadge apiKey={apiKey} />
        </div>
        <KeyScope apiKey={apiKey} parent={parent} />
        <p className="flex flex-wrap gap-x-3 text-muted text-sm">
          <code className="font-mono text-xs leading-5">{apiKey.prefix}…</code>
          <span>
            Created <Timestamp at={apiKey.createdAt} />
          </span>
          <span>
            {apiKey.lastUsedAt === null ? (
              "Never used"
            ) : (
              <>
                Last used <Timestamp at={apiKey.lastUsedAt} length="long" />
              </>
            )}
          </span>
          {requests && apiKey.lastUsedAt !== null && <span>{requests}</span>}
          {apiKey.oldSecretExpiresAt !== null && (
            <span>
              Old secret works until <Timestamp at={apiKey.oldSecretExpiresAt} />
            </span>
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Link
          to={`/activity?actor=${encodeURIComponent(apiKey.id)}`}
          aria-label={`Activity of ${apiKey.name}`}
          className="mr-1 rounded-sm text-muted text-sm underline-offset-4 hover:text-ink hover:underline"
        >
          Activity
        </Link>
        {!isExpired && (
          <>
            <Button size="sm" aria-label={`S3 clients with ${apiKey.name}`} onClick={onConnect}>
              S3 clients…
            </Button>
            <Button size="sm" aria-label={`Rotate ${apiKey.name}`} onClick={onRotate}>
              Rotate…
            </Button>
          </>
        )}
        <Button size="sm" aria-label={`${verb} ${apiKey.name}`} onClick={onRevoke}>
          {verb}…
        </Button>
      </div>
    </li>
  );
}
