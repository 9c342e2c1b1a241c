import { Link2 } from "lucide-react";
import { useState } from "react";
import type { IdentityObject } from "../../../../../sdk/src/holdall.ts";
import { providerName } from "../../../app/session/sign-in-methods.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { ConnectDialog } from "./connect-dialog.tsx";
import { DisconnectDialog } from "./disconnect-dialog.tsx";
import { useIdentities } from "./use-identities.ts";

/** Shows what the account is connected with at the provider, connects and disconnects it. */
export function ProviderPanel() {
  const [isConnecting, setConnecting] = useState(false);
  const [leaving, setLeaving] = useState<IdentityObject>();
  const identities = useIdentities();
  if (identities.error && identities.data === undefined) {
    return (
      <LoadError
        title="Couldn't load the connections"
        error={identities.error}
        onRetry={() => void identities.refetch()}
      />
    );
  }
  if (identities.data === undefined) return <Skeleton className="h-9" />;
  if (identities.data.length === 0) {
    return (
      <div>
        <Button onClick={() => setConnecting(true)}>
          <span>
            Connect <bdi>{providerName}</bdi>…
          </span>
        </Button>
        {isConnecting && <ConnectDialog onClose={() => setConnecting(false)} />}
      </div>
    );
  }
  return (
    <Card>
      <ul>
        {identities.data.map((identity) => (
          <li
            key={`${identity.issuer} ${identity.subject}`}
            className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-line border-t px-4 py-3 first:border-t-0"
          >
            <div className="flex min-w-0 items-start gap-3">
              <Link2 aria-hidden className="mt-0.5 size-4 flex-none text-muted" />
              <div className="min-w-0">
                <p className="break-all font-medium">
                  <bdi>{identity.subject}</bdi>
                </p>
                <p className="flex flex-wrap gap-x-3 text-muted text-sm">
                  <span className="break-all">{identity.issuer}</span>
                  <span>
                    Connected <Timestamp at={identity.createdAt} length="long" />
                  </span>
                </p>
              </div>
            </div>
            <Button
              size="sm"
              aria-label={`Disconnect ${identity.subject}`}
              onClick={() => setLeaving(identity)}
            >
              Disconnect…
            </Button>
          </li>
        ))}
      </ul>
      {leaving && <DisconnectDialog identity={leaving} onClose={() => setLeaving(undefined)} />}
    </Card>
  );
}
