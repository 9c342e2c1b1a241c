import { ConfirmDialog } from "../../../components/dialogs/confirm-dialog.tsx";
import { showErrorToast } from "../../../components/toast-store.ts";
import { formatCount } from "../../../text/format-count.ts";
import type { Changes } from "../actions/changes.ts";
import { type Entry, isFolder } from "../data/entry.ts";
import { ContentCount } from "./content-count.tsx";
import { EntriesLabel } from "./entries-label.tsx";

export interface DeleteDialogProps {
  readonly entries: readonly Entry[];
  /** 0: the trash is off, so the entries are deleted permanently. */
  readonly trashDays: number | undefined;
  readonly changes: Changes;
  /** Called if the trash turns out to be off, so that nothing was deleted. */
  readonly onTrashOff: () => void;
  readonly onClose: () => void;
}

export function DeleteDialog(props: DeleteDialogProps) {
  const { entries, trashDays, changes, onTrashOff, onClose } = props;
  const folders = entries.filter(isFolder).length;
  const isPermanent = trashDays === 0;
  const isOneFile = entries.length === 1 && folders === 0;
  return (
    <ConfirmDialog
      title={
        isPermanent ? (
          <>
            Delete <EntriesLabel entries={entries} /> permanently?
          </>
        ) : (
          <>
            Move <EntriesLabel entries={entries} /> to the trash?
          </>
        )
      }
      tone={isPermanent ? "danger" : "primary"}
      confirmLabel={isPermanent ? "Delete permanently" : "Move to trash"}
      onConfirm={() => {
        onClose();
        void changes.delete(entries, { isPermanent, onTrashOff }).catch(showErrorToast);
      }}
      onClose={onClose}
    >
      <ContentCount entries={entries} lead={isPermanent ? "This deletes" : "This moves"} />
      {folders > 0 && (
        <p>
          Everything in {folders === 1 ? "this folder" : "these folders"} will be{" "}
          {isPermanent ? "deleted" : "moved"} too.
        </p>
      )}
      {isPermanent ? (
        <p>
          {isOneFile ? "Its URL and all links to it" : "Their URLs and all links to them"} will stop
          working. The trash is off, so this cannot be undone.
        </p>
      ) : (
        <p>
          {isOneFile ? "Its URL and all links to it" : "Their URLs and all links to them"} stop
          working until you restore {isOneFile ? "it" : "them"}
          {trashDays !== undefined && `, within ${formatCount(trashDays, "day")}`}.
        </p>
      )}
    </ConfirmDialog>
  );
}
