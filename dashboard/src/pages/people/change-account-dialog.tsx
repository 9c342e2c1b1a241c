import type { ReactNode } from "react";
import type { ListedAccountObject } from "../../../../sdk/src/people.ts";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { showToast } from "../../components/toast-store.ts";
import { people, usePeopleChange } from "./use-people.ts";

export interface ChangeAccountDialogProps {
  readonly account: ListedAccountObject;
  readonly task: "role" | "disable" | "enable";
  readonly onClose: () => void;
}

interface Question {
  readonly title: ReactNode;
  readonly text: ReactNode;
  readonly confirmLabel: string;
  readonly tone: "danger" | "primary";
  readonly change: Parameters<typeof people.changeAccount>[1];
  readonly done: string;
}

/** Changes the role, or disables or enables an account, after it has said what that means. */
export function ChangeAccountDialog({ account, task, onClose }: ChangeAccountDialogProps) {
  const { title, text, confirmLabel, tone, change, done } = questionOf(account, task);
  const save = usePeopleChange(
    () => people.changeAccount(account.id, change),
    () => {
      onClose();
      showToast(done);
    },
  );
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={confirmLabel}
      tone={tone}
      busy={save.isPending}
      error={save.error}
      onConfirm={() => save.mutate(undefined)}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  );
}

function questionOf(
  { email, role }: ListedAccountObject,
  task: ChangeAccountDialogProps["task"],
): Question {
  const name = <bdi className="wrap-anywhere">{email}</bdi>;
  if (task === "disable") {
    return {
      title: <>Disable {name}?</>,
      text: (
        <p>
          All devices are signed out at once. API keys, links and open uploads of this account stop
          working until you enable it again. Files, keys and links are kept.
        </p>
      ),
      confirmLabel: "Disable account",
      tone: "danger",
      change: { disabled: true },
      done: `Disabled ${email}.`,
    };
  }
  if (task === "enable") {
    return {
      title: <>Enable {name}?</>,
      text: <p>The account can sign in again, and its API keys and links work again.</p>,
      confirmLabel: "Enable account",
      tone: "primary",
      change: { disabled: false },
      done: `Enabled ${email}.`,
    };
  }
  if (role === "owner") {
    return {
      title: <>Make {name} a member?</>,
      text: (
        <p>
          Members reach only the folders that you give them. Until you give one, this account, its
          API keys and its links reach nothing.
        </p>
      ),
      confirmLabel: "Make a member",
      tone: "danger",
      change: { role: "member" },
      done: `${email} is a member.`,
    };
  }
  return {
    title: <>Make {name} an owner?</>,
    text: (
      <p>
        Owners may do everything: open all files, change the settings, and manage people, you
        included.
      </p>
    ),
    confirmLabel: "Make an owner",
    tone: "primary",
    change: { role: "owner" },
    done: `${email} is an owner.`,
  };
}
