import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { PasskeyObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { ConfirmDialog } from "../../../components/dialogs/confirm-dialog.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { forgetPasskey } from "../../../passkeys/authenticator.ts";
import { PASSKEYS_KEY } from "./use-passkeys.ts";

export interface RemovePasskeyDialogProps {
  readonly passkey: PasskeyObject;
  readonly onClose: () => void;
}

export function RemovePasskeyDialog({ passkey, onClose }: RemovePasskeyDialogProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => holdall.account.removePasskey(passkey.id),
    onSuccess: async (removed) => {
      onClose();
      showToast("Passkey removed. You can delete it from your password manager, too.");
      await Promise.all([
        forgetPasskey(removed),
        client.invalidateQueries({ queryKey: PASSKEYS_KEY }),
      ]);
    },
  });
  return (
    <ConfirmDialog
      title={
        <>
          Remove “<bdi>{passkey.name}</bdi>”?
        </>
      }
      confirmLabel="Remove"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        This passkey won't sign in any more. Devices that are signed in stay signed in: see
        “Sessions” below.
      </p>
    </ConfirmDialog>
  );
}
