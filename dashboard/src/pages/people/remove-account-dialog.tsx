import type { ListedAccountObject } from "../../../../sdk/src/people.ts";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { showToast } from "../../components/toast-store.ts";
import { people, usePeopleChange } from "./use-people.ts";

export interface RemoveAccountDialogProps {
  readonly account: ListedAccountObject;
  readonly onClose: () => void;
}

/** Removes an account, after it has said what ends with it. */
export function RemoveAccountDialog({ account, onClose }: RemoveAccountDialogProps) {
  const { id, email } = account;
  const remove = usePeopleChange(
    () => people.removeAccount(id),
    () => {
      onClose();
      showToast(`Removed ${email}.`);
    },
  );
  return (
    <ConfirmDialog
      title={
        <>
          Remove <bdi className="wrap-anywhere">{email}</bdi>?
        </>
      }
      confirmLabel="Remove account"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      <p>These end at once:</p>
      <ul className="list-disc pl-5">
        <li>its sessions on all devices</li>
        <li>its API keys, and the keys that they have created</li>
        <li>its links and open uploads</li>
        <li>its access to folders</li>
      </ul>
      <p>
        Its files and its activity stay. This cannot be undone: to keep keys and links, disable the
        account instead.
      </p>
    </ConfirmDialog>
  );
}
