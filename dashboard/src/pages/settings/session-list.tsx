import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { holdall } from "../../app/client.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Failure } from "../../components/failure.tsx";
import { Moment } from "../../components/moment.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { say, sayFailure } from "../../components/toast-store.ts";
import { countText } from "../../text/count.ts";
import { deviceText } from "./device-text.ts";

export function SessionList() {
  const client = useQueryClient();
  const sessions = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => holdall.account.sessions({ signal }),
  });
  const onSuccess = () => client.invalidateQueries({ queryKey: ["sessions"] });
  const end = useMutation({
    mutationFn: (id: string) => holdall.account.endSession(id),
    onError: sayFailure,
    onSuccess,
  });
  const endOthers = useMutation({
    mutationFn: () => holdall.account.endOtherSessions(),
    onError: sayFailure,
    onSuccess: (ended) => {
      say(`Ended ${countText(ended, "other session")}.`);
      return onSuccess();
    },
  });

  if (sessions.error && sessions.data === undefined) {
    return (
      <Failure
        title="The sessions could not be read"
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
      />
    );
  }
  if (sessions.data === undefined) return <Skeleton className="h-24" />;
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <ul>
          {sessions.data.map(({ id, current, userAgent, address, lastSeenAt }) => (
            <li
              key={id}
              className="flex flex-wrap items-center justify-between gap-3 border-line border-t px-4 py-3 first:border-t-0"
            >
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-medium" title={userAgent}>
                  {deviceText(userAgent)} {current && <Badge tone="good">This one</Badge>}
                </p>
                <p className="text-muted text-sm">
                  {address} · last seen <Moment at={lastSeenAt} />
                </p>
              </div>
              {!current && (
                <Button
                  size="sm"
                  aria-label={`End the session of ${deviceText(userAgent)} at ${address}`}
                  onClick={() => end.mutate(id)}
                >
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {sessions.data.length > 1 && (
        <div>
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            End all other sessions
          </Button>
        </div>
      )}
    </div>
  );
}
