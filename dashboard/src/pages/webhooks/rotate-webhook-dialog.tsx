import type { WebhookObject } from "../../../../sdk/src/holdall.ts";
import type { CreatedWebhook } from "../../../../sdk/src/webhooks-only.ts";
import { RotateDialog } from "../../components/dialogs/rotate-dialog.tsx";
import { webhooks as webhooksClient } from "./webhooks-client.ts";

export interface RotateWebhookDialogProps {
  readonly webhook: WebhookObject;
  readonly onClose: () => void;
  readonly onRotated: (rotated: CreatedWebhook) => void;
}

const CHOICES = [
  { value: "0", label: "Signs nothing from now on" },
  { value: "3600", label: "Signs for 1 more hour" },
  { value: "86400", label: "Signs for 24 more hours" },
  { value: "604800", label: "Signs for 7 more days" },
];

/** Gives a webhook a new secret. */
export const RotateWebhookDialog = ({ webhook, onClose, onRotated }: RotateWebhookDialogProps) => (
  <RotateDialog
    name={webhook.name}
    submitLabel="Rotate secret"
    choices={CHOICES}
    hintOf={() => "Change your app to the new secret by then."}
    rotate={(options) => webhooksClient.rotate(webhook.id, options)}
    queryKey={["webhooks"]}
    onClose={onClose}
    onRotated={onRotated}
  >
    The webhook gets a new secret. Until the old one ends, each delivery has a signature of both, so
    that your app can change in its own time.
  </RotateDialog>
);
