import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import type { Changes } from "../actions/use-changes.ts";
import { type Entry, isFolder } from "../data/entry.ts";
import { ContentCount } from "./content-count.tsx";
import { Subject } from "./subject.tsx";

export interface DeleteDialogProps {
  readonly entries: readonly Entry[];
  readonly changes: Changes;
  readonly onClose: () => void;
}

export function DeleteDialog({ entries, changes, onClose }: DeleteDialogProps) {
  return (
    <ConfirmDialog
      title={
        <>
          Delete <Subject entries={entries} />?
        </>
      }
      verb="Delete for good"
      onConfirm={() => {
        onClose();
        void changes.delete(entries);
      }}
      onClose={onClose}
    >
      <ContentCount entries={entries} lead="This deletes" />
      {entries.some(isFolder) && <p>Folders are deleted with everything in them.</p>}
      <p>URLs and links that lead there stop working. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
