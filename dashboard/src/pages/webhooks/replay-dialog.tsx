import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhookObject } from "../../../../sdk/src/holdall.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { SelectField } from "../../components/fields/select-field.tsx";
import { Notice } from "../../components/notice.tsx";
import { showToast } from "../../components/toast-store.ts";
import { webhooks as webhooksClient } from "./webhooks-client.ts";

export interface ReplayDialogProps {
  readonly webhook: WebhookObject;
  readonly onClose: () => void;
}

/** In seconds. */
const CHOICES = [
  { value: "3600", label: "Of the last hour" },
  { value: "86400", label: "Of the last 24 hours" },
  { value: "259200", label: "Of the last 3 days" },
  { value: "604800", label: "Of the last 7 days" },
];

/** Sends changes again. */
export function ReplayDialog({ webhook: { id, name, state }, onClose }: ReplayDialogProps) {
  const client = useQueryClient();
  const [seconds, setSeconds] = useState("3600");
  const replay = useMutation({
    mutationFn: () =>
      webhooksClient.replay(id, { since: new Date(Date.now() - Number(seconds) * 1000) }),
    onSuccess: async () => {
      onClose();
      showToast(`“${name}” gets the changes again.`);
      await client.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  return (
    <Dialog
      title={
        <>
          Replay <bdi>{name}</bdi>
        </>
      }
      onClose={onClose}
      onSubmit={() => {
        if (!replay.isPending) replay.mutate();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={replay.isPending}>
            Replay
          </Button>
        </>
      }
    >
      <p className="text-muted">
        The receiver gets the changes again, in their order and with the same ids, and then those
        that come.
      </p>
      <SelectField
        label="Changes"
        hint="Older ones are not kept."
        value={seconds}
        options={CHOICES}
        onChange={setSeconds}
      />
      {state !== "active" && (
        <Notice tone="info">The webhook is not active: they are sent once you resume it.</Notice>
      )}
      {replay.error && <Notice tone="bad">{replay.error.message}</Notice>}
    </Dialog>
  );
}
