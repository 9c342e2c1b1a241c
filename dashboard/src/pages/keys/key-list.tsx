import { useState } from "react";
import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Moment } from "../../components/moment.tsx";
import { parseMoment } from "../../text/moment.ts";
import { RevokeDialog } from "./revoke-dialog.tsx";

export function KeyList({ keys }: { readonly keys: readonly ApiKeyObject[] }) {
  const [revoking, setRevoking] = useState<ApiKeyObject>();
  return (
    <Card>
      <ul>
        {keys.map((key) => (
          <li
            key={key.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-3 first:border-t-0"
          >
            <div className="min-w-0 flex-1 basis-56">
              <p className="flex min-w-0 items-center gap-2">
                <bdi className="truncate font-medium" title={key.name}>
                  {key.name}
                </bdi>
                <Expiry at={key.expiresAt} />
              </p>
              <p className="flex flex-wrap gap-x-3 text-muted text-sm">
                <code className="font-mono text-xs leading-5">{key.prefix}…</code>
                <span>
                  Created <Moment at={key.createdAt} />
                </span>
                <span>
                  {key.lastUsedAt === null ? (
                    "Never used"
                  ) : (
                    <>
                      Last used <Moment at={key.lastUsedAt} />
                    </>
                  )}
                </span>
              </p>
            </div>
            <Button size="sm" aria-label={`Revoke ${key.name}`} onClick={() => setRevoking(key)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Card>
  );
}

const SOON_MS = 7 * 86_400_000;

function Expiry({ at }: { readonly at: string | null }) {
  if (at === null) return null;
  const left = parseMoment(at).getTime() - Date.now();
  if (left <= 0) return <Badge tone="bad">Expired</Badge>;
  return (
    <Badge tone={left < SOON_MS ? "warn" : "plain"}>
      Ends <Moment at={at} />
    </Badge>
  );
}
