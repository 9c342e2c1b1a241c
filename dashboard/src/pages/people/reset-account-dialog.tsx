import type { ListedAccountObject } from "../../../../sdk/src/people.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { showToast } from "../../components/toast-store.ts";
import { people, usePeopleChange } from "./use-people.ts";

export interface ResetAccountDialogProps {
  readonly account: ListedAccountObject;
  readonly what: "password" | "secondFactor";
  readonly onClose: () => void;
}

/** Gives an account a new password, which is shown once, or removes its second factor. */
export function ResetAccountDialog({ account, what, onClose }: ResetAccountDialogProps) {
  const { id, email } = account;
  const name = <bdi className="wrap-anywhere">{email}</bdi>;
  const reset = usePeopleChange(
    () =>
      people.resetAccount(id, what === "password" ? { password: true } : { secondFactor: true }),
    ({ password }) => {
      if (password !== null) return;
      onClose();
      showToast(`${email} signs in without a second factor.`);
    },
  );
  const password = reset.data?.password;
  if (password) {
    return (
      <Dialog
        title={<>New password of {name}</>}
        isPersistent
        onClose={onClose}
        footer={
          <Button variant="primary" onClick={onClose}>
            I've saved it
          </Button>
        }
      >
        <p className="text-muted">
          Pass it on now. You won't be able to see it again. It can be changed in the settings after
          signing in.
        </p>
        <CodeBlock label="Password" code={password} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={
        what === "password" ? (
          <>Reset the password of {name}?</>
        ) : (
          <>Remove the second factor of {name}?</>
        )
      }
      confirmLabel={what === "password" ? "Reset password" : "Remove second factor"}
      busy={reset.isPending}
      error={reset.error}
      onConfirm={() => reset.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        {what === "password"
          ? "The account gets a random password, which you see once. The old one stops working, and all devices are signed out."
          : "Two-step sign-in is turned off, the passkeys are removed, and all devices are signed out. The password alone signs in then."}
      </p>
      <p>First make sure that the person who asks is the one that the account belongs to.</p>
    </ConfirmDialog>
  );
}
