import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import type { Changes } from "../actions/use-changes.ts";
import { type Entry, isFolder } from "../data/entry.ts";
import { ContentCount } from "./content-count.tsx";
import { EntriesLabel } from "./entries-label.tsx";

export interface DeleteDialogProps {
  readonly entries: readonly Entry[];
  readonly changes: Changes;
  readonly onClose: () => void;
}

export function DeleteDialog({ entries, changes, onClose }: DeleteDialogProps) {
  const folders = entries.filter(isFolder).length;
  return (
    <ConfirmDialog
      title={
        <>
          Delete <EntriesLabel entries={entries} />?
        </>
      }
      confirmLabel="Delete permanently"
      onConfirm={() => {
        onClose();
        void changes.delete(entries);
      }}
      onClose={onClose}
    >
      <ContentCount entries={entries} lead="This deletes" />
      {folders > 0 && (
        <p>
          {folders === 1
            ? "Everything in this folder will be deleted."
            : "Everything in these folders will be deleted."}
        </p>
      )}
      <p>
        {entries.length === 1 && folders === 0
          ? "Its URL and all links to it will stop working."
          : "Their URLs and all links to them will stop working."}{" "}
        This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
