import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";

export interface RecoveryCodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows new recovery codes, once. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  return (
    <Dialog
      isPersistent
      title="Your recovery codes"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          I've saved them
        </Button>
      }
    >
      <p className="text-muted">
        Each signs you in once if you lose your phone. Save them now: you won't be able to see them
        again.
      </p>
      <CodeBlock label="Recovery codes" code={codes.join("\n")} />
    </Dialog>
  );
}
