import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { formatCount } from "../../text/format-count.ts";
import type { Doomed } from "../../trash/delete-permanently.ts";
import { formatLoss, formatSum } from "./item-text.ts";

export interface DeletePermanentlyDialogProps {
  readonly doomed: Doomed;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Confirms what cannot be undone: the second step of a deletion. */
export function DeletePermanentlyDialog({
  doomed,
  onConfirm,
  onClose,
}: DeletePermanentlyDialogProps) {
  return (
    <ConfirmDialog
      title={titleOf(doomed)}
      confirmLabel={"all" in doomed ? "Empty trash" : "Delete permanently"}
      onConfirm={() => {
        onClose();
        onConfirm();
      }}
      onClose={onClose}
    >
      <p>{lossOf(doomed)}</p>
      <p>This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function titleOf(doomed: Doomed) {
  if ("all" in doomed) return "Empty the trash?";
  const [first] = doomed.items;
  if (first === undefined || doomed.items.length > 1) {
    return `Delete ${formatCount(doomed.items.length, "item")} permanently?`;
  }
  return (
    <>
      Delete “<bdi className="break-all">{first.name}</bdi>” permanently?
    </>
  );
}

function lossOf(doomed: Doomed) {
  const sum = "all" in doomed ? formatLoss(doomed.all) : formatSum(doomed.items);
  if (sum === undefined) return "This deletes all files inside, too.";
  return (
    <>
      This deletes <strong className="font-medium text-ink">{sum}</strong> now, instead of when
      their time in the trash is over.
    </>
  );
}
