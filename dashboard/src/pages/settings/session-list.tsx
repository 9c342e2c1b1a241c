import { useQuery } from "@tanstack/react-query";
import { Monitor, Smartphone } from "lucide-react";
import { useState } from "react";
import type { SessionObject } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { LoadError } from "../../components/load-error.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { describeDevice } from "./describe-device.ts";
import { EndSessionsDialog } from "./end-sessions-dialog.tsx";

export function SessionList() {
  const [ending, setEnding] = useState<SessionObject | "others">();
  const sessions = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => holdall.account.sessions({ signal }),
  });

  if (sessions.error && sessions.data === undefined) {
    return (
      <LoadError
        title="Couldn't load sessions"
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
      />
    );
  }
  if (sessions.data === undefined) return <Skeleton className="h-24" />;
  const others = sessions.data.length - 1;
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <ul>
          {currentFirst(sessions.data).map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
          ))}
        </ul>
      </Card>
      {others > 0 && (
        <div>
          <Button onClick={() => setEnding("others")}>Sign out all other sessions…</Button>
        </div>
      )}
      {ending && (
        <EndSessionsDialog
          session={ending === "others" ? undefined : ending}
          others={others}
          onClose={() => setEnding(undefined)}
        />
      )}
    </div>
  );
}

interface SessionRowProps {
  readonly session: SessionObject;
  readonly onEnd: () => void;
}

function SessionRow({ session, onEnd }: SessionRowProps) {
  const { current, userAgent, address, createdAt, lastSeenAt } = session;
  const Icon = /Mobile|Android|iPhone|iPad/.test(userAgent) ? Smartphone : Monitor;
  return (
    <li className="flex items-center justify-between gap-3 border-line border-t px-4 py-3 [contain-intrinsic-size:auto_4.25rem] [content-visibility:auto] first:border-t-0">
      <div className="flex min-w-0 items-start gap-3">
        <Icon aria-hidden className="mt-0.5 size-4 flex-none text-muted" />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 font-medium" title={userAgent}>
            <span className="break-all">{describeDevice(userAgent)}</span>{" "}
            {current && <Badge tone="good">This device</Badge>}
          </p>
          <p className="flex flex-wrap gap-x-3 text-muted text-sm">
            <span className="break-all">{address}</span>
            <span>
              Signed in <Timestamp at={createdAt} length="long" />
            </span>
            {!current && (
              <span>
                Last seen <Timestamp at={lastSeenAt} length="long" />
              </span>
            )}
          </p>
        </div>
      </div>
      {!current && (
        <Button
          size="sm"
          aria-label={`Sign out ${describeDevice(userAgent)} at ${address}`}
          onClick={onEnd}
        >
          Sign out…
        </Button>
      )}
    </li>
  );
}

/** The current session first, then by last use. */
const currentFirst = (sessions: readonly SessionObject[]): SessionObject[] =>
  sessions.toSorted(
    (one, other) =>
      Number(other.current) - Number(one.current) || other.lastSeenAt.localeCompare(one.lastSeenAt),
  );
