import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhookObject } from "../../../../sdk/src/holdall.ts";
import type { CreatedWebhook } from "../../../../sdk/src/webhooks-only.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { SelectField } from "../../components/fields/select-field.tsx";
import { Notice } from "../../components/notice.tsx";
import { webhooks as webhooksClient } from "./webhooks-client.ts";

export interface RotateWebhookDialogProps {
  readonly webhook: WebhookObject;
  readonly onClose: () => void;
  readonly onRotated: (rotated: CreatedWebhook) => void;
}

/** For how long the old secret still signs, in seconds. */
const CHOICES = [
  { value: "0", label: "Signs nothing from now on" },
  { value: "3600", label: "Signs for 1 more hour" },
  { value: "86400", label: "Signs for 24 more hours" },
  { value: "604800", label: "Signs for 7 more days" },
];

/** Gives a webhook a new secret. */
export function RotateWebhookDialog({ webhook, onClose, onRotated }: RotateWebhookDialogProps) {
  const client = useQueryClient();
  const [keepFor, setKeepFor] = useState("86400");
  const rotate = useMutation({
    mutationFn: () => webhooksClient.rotate(webhook.id, { oldSecretExpiresIn: Number(keepFor) }),
    onSuccess: async (rotated) => {
      onRotated(rotated);
      await client.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  return (
    <Dialog
      title={
        <>
          Rotate <bdi>{webhook.name}</bdi>
        </>
      }
      onClose={onClose}
      onSubmit={() => {
        if (!rotate.isPending) rotate.mutate();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={rotate.isPending}>
            Rotate secret
          </Button>
        </>
      }
    >
      <p className="text-muted">
        The webhook gets a new secret. Until the old one ends, each delivery has a signature of
        both, so that your app can change in its own time.
      </p>
      <SelectField
        label="Old secret"
        hint="Change your app to the new secret by then."
        value={keepFor}
        options={CHOICES}
        onChange={setKeepFor}
      />
      {rotate.error && <Notice tone="bad">{rotate.error.message}</Notice>}
    </Dialog>
  );
}
