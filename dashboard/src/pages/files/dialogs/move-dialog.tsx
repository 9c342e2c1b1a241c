import { showErrorToast } from "../../../components/toast-store.ts";
import type { Changes } from "../actions/changes.ts";
import { moveRefusal } from "../actions/move-refusal.ts";
import type { Entry } from "../data/entry.ts";
import { EntriesLabel } from "./entries-label.tsx";
import { TargetDialog } from "./target-dialog.tsx";

export interface MoveDialogProps {
  readonly entries: readonly Entry[];
  /** The key of the folder that the entries are in. */
  readonly from: string;
  readonly changes: Changes;
  readonly onClose: () => void;
}

export const MoveDialog = ({ entries, from, changes, onClose }: MoveDialogProps) => (
  <TargetDialog
    title={
      <>
        Move <EntriesLabel entries={entries} />
      </>
    }
    hint="Choose a destination. Public and signed URLs change; shared links keep working."
    action="Move here"
    from={from}
    refusalOf={(target) => moveRefusal(entries, target)}
    onChoose={(target) => void changes.move(entries, target).catch(showErrorToast)}
    onClose={onClose}
  />
);
