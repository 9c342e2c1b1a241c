import { useQuery } from "@tanstack/react-query";
import type { DeliveryObject, WebhookObject } from "../../../../sdk/src/holdall.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { LoadError } from "../../components/load-error.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { formatCount } from "../../text/format-count.ts";
import { webhooks as webhooksClient } from "./webhooks-client.ts";

export interface DeliveriesDialogProps {
  readonly webhook: WebhookObject;
  readonly onClose: () => void;
}

const REFRESH_MS = 5000;
const SHOWN = 50;

const STATES = {
  delivered: { tone: "good", label: "Delivered" },
  failed: { tone: "bad", label: "Failed" },
  queued: { tone: "plain", label: "Waiting" },
} as const;

/** The last deliveries of a webhook, and what its receiver answered. */
export function DeliveriesDialog({ webhook: { id, name }, onClose }: DeliveriesDialogProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ["webhooks", id, "deliveries"],
    queryFn: ({ signal }) => webhooksClient.deliveries({ id, limit: SHOWN, signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Dialog
      wide
      title={
        <>
          Deliveries of <bdi>{name}</bdi>
        </>
      }
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {error && data === undefined ? (
        <LoadError title="Couldn't load deliveries" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-40" />
      ) : data.deliveries.length === 0 ? (
        <p className="text-muted">Nothing was sent yet.</p>
      ) : (
        <ul>
          {data.deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: DeliveryObject }) {
  const { kind, key, state, attempts, status, milliseconds, error, response, at } = delivery;
  const { tone, label } = STATES[state];
  return (
    <li className="flex flex-col gap-1 border-line border-t py-2.5 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={tone}>{status === null ? label : `${label}, ${status}`}</Badge>
        <span className="font-medium text-sm">{kind}</span>
        {key !== null && <bdi className="min-w-0 break-all text-sm">{key}</bdi>}
      </div>
      <p className="flex flex-wrap gap-x-3 text-muted text-sm">
        <span>
          <Timestamp at={at} length="long" />
        </span>
        {milliseconds !== null && <span>{milliseconds} ms</span>}
        {attempts > 1 && <span>{formatCount(attempts, "attempt")}</span>}
        {error !== null && <span className="break-words text-bad">{error}</span>}
      </p>
      {response !== null && (
        <pre className="max-h-32 overflow-auto whitespace-pre-wrap break-all rounded-md bg-hover px-2.5 py-1.5 font-mono text-xs">
          {response}
        </pre>
      )}
    </li>
  );
}
