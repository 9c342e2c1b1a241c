import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { holdall } from "../app/connection/client.ts";
import { ConfirmDialog } from "../components/dialogs/confirm-dialog.tsx";
import { showToast } from "../components/toast-store.ts";
import { formatVisits, linkName } from "./describe-link.ts";
import { linksKey } from "./links-key.ts";

export interface RevokeLinkDialogProps {
  readonly link: LinkObject;
  readonly onRevoked?: ((link: LinkObject) => void) | undefined;
  readonly onClose: () => void;
}

export function RevokeLinkDialog({ link, onRevoked, onClose }: RevokeLinkDialogProps) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => holdall.links.revoke(link.id),
    onSuccess: async () => {
      onClose();
      onRevoked?.(link);
      showToast("Link revoked.");
      await client.invalidateQueries({ queryKey: linksKey });
    },
  });
  return (
    <ConfirmDialog
      title={
        <>
          Revoke the link “<bdi className="break-all">{linkName(link)}</bdi>”?
        </>
      }
      confirmLabel="Revoke link"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{formatVisits(link)} so far.</p>
      <p>
        {link.kind === "read"
          ? "Everyone who has the link loses access at once."
          : "Nobody can send files with it any more. Files that have arrived stay."}{" "}
        This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
