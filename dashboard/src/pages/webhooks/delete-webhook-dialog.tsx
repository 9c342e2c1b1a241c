import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { WebhookObject } from "../../../../sdk/src/holdall.ts";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { showToast } from "../../components/toast-store.ts";
import { webhooks as webhooksClient } from "./webhooks-client.ts";

export interface DeleteWebhookDialogProps {
  readonly webhook: WebhookObject;
  readonly onClose: () => void;
}

export function DeleteWebhookDialog({ webhook: { id, name }, onClose }: DeleteWebhookDialogProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => webhooksClient.delete(id),
    onSuccess: async () => {
      onClose();
      showToast(`Deleted “${name}”.`);
      await client.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  return (
    <ConfirmDialog
      title={
        <>
          Delete <bdi>{name}</bdi>?
        </>
      }
      confirmLabel="Delete webhook"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        Its receiver gets no more changes, and the list of its deliveries is deleted. This cannot be
        undone. To stop it for a while, pause it.
      </p>
    </ConfirmDialog>
  );
}
