import { useQuery } from "@tanstack/react-query";
import { Plus, Webhook } from "lucide-react";
import { useState } from "react";
import type { CreatedWebhook } from "../../../../sdk/src/webhooks-only.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { LoadError } from "../../components/load-error.tsx";
import { Page } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { CreateWebhookDialog } from "./create-webhook-dialog.tsx";
import { NewSecretCard } from "./new-secret-card.tsx";
import { WebhookList } from "./webhook-list.tsx";
import { webhooks as webhooksClient } from "./webhooks-client.ts";

/** The state of a failing webhook changes by itself. */
const REFRESH_MS = 10_000;

export function WebhooksPage() {
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedWebhook>();
  const webhooks = useQuery({
    queryKey: ["webhooks"],
    queryFn: ({ signal }) => webhooksClient.list({ signal }),
    refetchInterval: REFRESH_MS,
  });
  const create = (
    <Button variant="primary" Icon={Plus} onClick={() => setCreating(true)}>
      Create webhook
    </Button>
  );

  return (
    <Page
      title="Webhooks"
      description="Tell your apps when files arrive, change or are deleted. Each change is sent to a URL, in order, until it is received."
      actions={create}
    >
      {created && (
        <NewSecretCard
          key={created.secret}
          created={created}
          onDone={() => setCreated(undefined)}
        />
      )}
      {webhooks.error && webhooks.data === undefined ? (
        <LoadError
          title="Couldn't load webhooks"
          error={webhooks.error}
          onRetry={() => void webhooks.refetch()}
        />
      ) : webhooks.data === undefined ? (
        <Skeleton className="h-22" />
      ) : webhooks.data.length === 0 ? (
        <EmptyState title="No webhooks yet" Icon={Webhook} action={create}>
          <p>
            Create one for each app that should know of changes, such as a website that shows your
            photos or a script that works on uploads. A webhook can be limited to a folder. If its
            receiver is down, changes wait and are sent in order later.
          </p>
        </EmptyState>
      ) : (
        <WebhookList webhooks={webhooks.data} onRotated={setCreated} />
      )}
      {creating && (
        <CreateWebhookDialog
          onClose={() => setCreating(false)}
          onCreated={(webhook) => {
            setCreating(false);
            setCreated(webhook);
          }}
        />
      )}
    </Page>
  );
}
