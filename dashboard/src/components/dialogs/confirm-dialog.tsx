import type { ReactNode } from "react";
import { Button } from "../button.tsx";
import { Notice } from "../notice.tsx";
import { Dialog } from "./dialog.tsx";

export interface ConfirmDialogProps {
  readonly title: ReactNode;
  /** The consequences, with counts. */
  readonly children: ReactNode;
  /** Label of the confirming button: a verb. */
  readonly confirmLabel: string;
  readonly tone?: "danger" | "primary";
  readonly busy?: boolean;
  readonly error?: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Confirms an action that cannot be undone. "Cancel" has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    children,
    confirmLabel,
    tone = "danger",
    busy = false,
    error,
    onConfirm,
    onClose,
  } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant={tone} busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2 text-muted">{children}</div>
      {error && <Notice tone="bad">{error.message}</Notice>}
    </Dialog>
  );
}
