import { KeyRound } from "lucide-react";
import type { PasskeyObject } from "../../../../../sdk/src/holdall.ts";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";

export interface PasskeyRowProps {
  readonly passkey: PasskeyObject;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

export function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { name, host, synced, createdAt, lastUsedAt } = passkey;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-line border-t px-4 py-3 first:border-t-0">
      <div className="flex min-w-0 items-start gap-3">
        <KeyRound aria-hidden className="mt-0.5 size-4 flex-none text-muted" />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <bdi className="break-words">{name}</bdi> {synced && <Badge>Synced</Badge>}
          </p>
          <p className="flex flex-wrap gap-x-3 text-muted text-sm">
            <span>
              Added <Timestamp at={createdAt} length="long" />
            </span>
            <span>
              {lastUsedAt === null ? (
                "Never used"
              ) : (
                <>
                  Last used <Timestamp at={lastUsedAt} length="long" />
                </>
              )}
            </span>
            {host !== location.hostname && <span className="break-all">Works only at {host}</span>}
          </p>
        </div>
      </div>
      <div className="flex gap-2">
        <Button size="sm" aria-label={`Rename ${name}`} onClick={onRename}>
          Rename…
        </Button>
        <Button size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove…
        </Button>
      </div>
    </li>
  );
}
