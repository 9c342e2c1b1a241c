import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhookObject } from "../../../../sdk/src/holdall.ts";
import type { CreatedWebhook } from "../../../../sdk/src/webhooks-only.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { showToast } from "../../components/toast-store.ts";
import { DeleteWebhookDialog } from "./delete-webhook-dialog.tsx";
import { DeliveriesDialog } from "./deliveries-dialog.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";
import { RotateWebhookDialog } from "./rotate-webhook-dialog.tsx";
import { WebhookBadge } from "./webhook-badge.tsx";
import { kindsText } from "./webhook-kinds.ts";
import { webhooks as webhooksClient } from "./webhooks-client.ts";

export interface WebhookListProps {
  readonly webhooks: readonly WebhookObject[];
  readonly onRotated: (rotated: CreatedWebhook) => void;
}

type Asked = "deliveries" | "replay" | "rotate" | "delete";

export function WebhookList({ webhooks, onRotated }: WebhookListProps) {
  const [open, setOpen] = useState<{ readonly what: Asked; readonly webhook: WebhookObject }>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Card>
        <ul>
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              onAsk={(what) => setOpen({ what, webhook })}
            />
          ))}
        </ul>
      </Card>
      {open?.what === "deliveries" && <DeliveriesDialog webhook={open.webhook} onClose={close} />}
      {open?.what === "replay" && <ReplayDialog webhook={open.webhook} onClose={close} />}
      {open?.what === "delete" && <DeleteWebhookDialog webhook={open.webhook} onClose={close} />}
      {open?.what === "rotate" && (
        <RotateWebhookDialog
          webhook={open.webhook}
          onClose={close}
          onRotated={(rotated) => {
            close();
            onRotated(rotated);
          }}
        />
      )}
    </>
  );
}

interface WebhookRowProps {
  readonly webhook: WebhookObject;
  readonly onAsk: (what: Asked) => void;
}

function WebhookRow({ webhook, onAsk }: WebhookRowProps) {
  const client = useQueryClient();
  const { id, name, url, kinds, folder, state, reason, failedAttempts } = webhook;
  const isActive = state === "active";
  const refresh = () => client.invalidateQueries({ queryKey: ["webhooks"] });
  const showError = (error: Error) => void showToast(error.message);
  const test = useMutation({
    mutationFn: () => webhooksClient.test(id),
    onSuccess: async ({ status, error, milliseconds }) => {
      showToast(
        error === null
          ? `“${name}” answered ${status} in ${milliseconds} ms.`
          : `The test of “${name}” failed. ${error}`,
      );
      await refresh();
    },
    onError: showError,
  });
  const resume = useMutation({
    mutationFn: () => webhooksClient.change(id, { active: true }),
    onSuccess: refresh,
    onError: showError,
  });
  const pause = useMutation({
    mutationFn: () => webhooksClient.change(id, { active: false }),
    onSuccess: refresh,
    onError: showError,
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-3 first:border-t-0">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        <div className="flex min-h-7 min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="min-w-0 break-words font-medium">{name}</bdi>
          <WebhookBadge webhook={webhook} />
        </div>
        <code className="break-all font-mono text-muted text-xs leading-5">{url}</code>
        <p className="flex flex-wrap gap-x-3 text-muted text-sm">
          <span>{kindsText(kinds)}</span>
          {folder !== null && (
            <span>
              {folder.key === null ? (
                "In a folder that was deleted"
              ) : (
                <>
                  In <bdi className="break-words">{folder.key}</bdi>
                </>
              )}
            </span>
          )}
          <span>
            Created <Timestamp at={webhook.createdAt} />
          </span>
          {webhook.oldSecretExpiresAt !== null && (
            <span>
              Old secret signs until <Timestamp at={webhook.oldSecretExpiresAt} />
            </span>
          )}
        </p>
        {reason !== null && <p className="break-words text-bad text-sm">{reason}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          aria-label={`Test ${name}`}
          busy={test.isPending}
          onClick={() => test.mutate()}
        >
          Test
        </Button>
        <Button size="sm" aria-label={`Deliveries of ${name}`} onClick={() => onAsk("deliveries")}>
          Deliveries…
        </Button>
        <Button size="sm" aria-label={`Replay ${name}`} onClick={() => onAsk("replay")}>
          Replay…
        </Button>
        <Button size="sm" aria-label={`Rotate ${name}`} onClick={() => onAsk("rotate")}>
          Rotate…
        </Button>
        {(!isActive || failedAttempts > 0) && (
          <Button
            size="sm"
            aria-label={`${isActive ? "Retry now" : "Resume"} ${name}`}
            busy={resume.isPending}
            onClick={() => resume.mutate()}
          >
            {isActive ? "Retry now" : "Resume"}
          </Button>
        )}
        {isActive && (
          <Button
            size="sm"
            aria-label={`Pause ${name}`}
            busy={pause.isPending}
            onClick={() => pause.mutate()}
          >
            Pause
          </Button>
        )}
        <Button size="sm" aria-label={`Delete ${name}`} onClick={() => onAsk("delete")}>
          Delete…
        </Button>
      </div>
    </li>
  );
}
