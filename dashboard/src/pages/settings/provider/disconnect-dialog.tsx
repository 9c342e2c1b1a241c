import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { IdentityObject } from "../../../../../sdk/src/holdall.ts";
import { identitiesOf } from "../../../../../sdk/src/people.ts";
import { holdall } from "../../../app/connection/client.ts";
import { providerName } from "../../../app/session/sign-in-methods.ts";
import { ConfirmDialog } from "../../../components/dialogs/confirm-dialog.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { IDENTITIES_KEY } from "./use-identities.ts";

export interface DisconnectDialogProps {
  readonly identity: IdentityObject;
  readonly onClose: () => void;
}

export function DisconnectDialog({ identity, onClose }: DisconnectDialogProps) {
  const client = useQueryClient();
  const disconnect = useMutation({
    mutationFn: () => identitiesOf(holdall).disconnectIdentity(identity),
    onSuccess: async () => {
      onClose();
      showToast("Disconnected.");
      await client.invalidateQueries({ queryKey: IDENTITIES_KEY });
    },
  });
  return (
    <ConfirmDialog
      title={
        <>
          Disconnect <bdi>{providerName}</bdi>?
        </>
      }
      confirmLabel="Disconnect"
      busy={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => disconnect.mutate()}
      onClose={onClose}
    >
      <p>
        Your account there won't sign in here any more. Devices that are signed in stay signed in:
        see “Sessions” below.
      </p>
    </ConfirmDialog>
  );
}
