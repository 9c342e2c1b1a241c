import { showErrorToast } from "../../../components/toast-store.ts";
import { EntriesLabel } from "./entries-label.tsx";
import type { MoveDialogProps } from "./move-dialog.tsx";
import { TargetDialog } from "./target-dialog.tsx";

export const CopyDialog = ({ entries, from, changes, onClose }: MoveDialogProps) => (
  <TargetDialog
    title={
      <>
        Copy <EntriesLabel entries={entries} />
      </>
    }
    hint="Choose a destination. If a name is already taken there, the copy gets a number."
    action="Copy here"
    from={from}
    refusalOf={() => undefined}
    onChoose={(target) => void changes.copy(entries, target).catch(showErrorToast)}
    onClose={onClose}
  />
);
