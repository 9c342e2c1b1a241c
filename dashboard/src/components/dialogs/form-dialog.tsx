import type { ReactNode } from "react";
import { Button } from "../button.tsx";
import { Notice } from "../notice.tsx";
import { Dialog } from "./dialog.tsx";

export interface FormDialogProps {
  readonly title: ReactNode;
  /** The fields. */
  readonly children: ReactNode;
  /** Label of the submitting button: a verb. */
  readonly submitLabel: string;
  /** Default: "primary". */
  readonly submitVariant?: "primary" | "danger";
  readonly busy: boolean;
  readonly errorText: string | undefined;
  /** Not called while `busy`. */
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** A form in a dialog: "Cancel", the submitting button, and the error of the last attempt. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, submitLabel, submitVariant = "primary", busy, errorText } = props;
  const { onSubmit, onClose } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => {
        if (!busy) onSubmit();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant={submitVariant} busy={busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      {children}
      {errorText !== undefined && <Notice tone="bad">{errorText}</Notice>}
    </Dialog>
  );
}
