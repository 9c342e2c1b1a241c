import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { showToast } from "../../components/toast-store.ts";
import { formatCount } from "../../text/format-count.ts";
import { keyStatus } from "./key-expiry.ts";

export interface RevokeDialogProps {
  readonly apiKey: ApiKeyObject;
  /** The number of keys that are revoked with it. */
  readonly descendants: number;
  readonly onClose: () => void;
}

export function RevokeDialog({ apiKey, descendants, onClose }: RevokeDialogProps) {
  const client = useQueryClient();
  const isExpired = keyStatus(apiKey, new Date()) === "expired";
  const revoke = useMutation({
    mutationFn: () => holdall.keys.revoke(apiKey.id),
    onSuccess: async () => {
      onClose();
      showToast(`${isExpired ? "Removed" : "Revoked"} “${apiKey.name}”.`);
      await client.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  return (
    <ConfirmDialog
      title={
        <>
          {isExpired ? "Remove" : "Revoke"} <bdi>{apiKey.name}</bdi>?
        </>
      }
      confirmLabel={isExpired ? "Remove key" : "Revoke key"}
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>
        {apiKey.lastUsedAt === null ? (
          "This key has never been used."
        ) : (
          <>
            Last used: <Timestamp at={apiKey.lastUsedAt} length="long" />.
          </>
        )}
      </p>
      {descendants > 0 && (
        <p>
          {descendants === 1
            ? "The key that it created is revoked, too."
            : `The ${formatCount(descendants, "key")} that it created are revoked, too.`}
        </p>
      )}
      <p>
        {isExpired
          ? "The key has expired, so no app can use it. Its activity stays."
          : "Apps that use this key lose access immediately. This cannot be undone."}
      </p>
    </ConfirmDialog>
  );
}
