import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { TrashItem } from "../../../../sdk/src/holdall.ts";
import { formatBytes } from "../../../../server/rules/format-bytes.ts";
import { holdall } from "../../app/client.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { showToast } from "../../components/toast-store.ts";
import { formatCount } from "../../text/format-count.ts";
import { trashKey } from "../../trash/trash-key.ts";
import { formatSum } from "./item-text.ts";

/** Ids per request. */
const BATCH_SIZE = 100;

/** Items of the trash, or everything in it with its totals. */
export type Doomed =
  | { readonly items: readonly TrashItem[] }
  | { readonly all: { readonly items: number; readonly files: number; readonly bytes: number } };

export interface DeleteForGoodDialogProps {
  readonly doomed: Doomed;
  readonly onClose: () => void;
}

/** Confirms what cannot be undone: the second step of a deletion. */
export function DeleteForGoodDialog({ doomed, onClose }: DeleteForGoodDialogProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: async () => {
      if ("all" in doomed) return (await holdall.trash.delete({ all: true })).length;
      let deleted = 0;
      for (let at = 0; at < doomed.items.length; at += BATCH_SIZE) {
        const ids = doomed.items.slice(at, at + BATCH_SIZE).map(({ id }) => id);
        deleted += (await holdall.trash.delete({ ids })).length;
      }
      return deleted;
    },
    onSuccess: (deleted) => {
      onClose();
      showToast(`Deleted ${formatCount(deleted, "item")} permanently.`);
    },
    onSettled: () => client.invalidateQueries({ queryKey: trashKey }),
  });
  return (
    <ConfirmDialog
      title={titleOf(doomed)}
      confirmLabel={"all" in doomed ? "Empty trash" : "Delete permanently"}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
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
  const sum =
    "all" in doomed
      ? `${formatCount(doomed.all.files, "file")} (${formatBytes(doomed.all.bytes)})`
      : formatSum(doomed.items);
  if (sum === undefined) return "This deletes all files inside, too.";
  return (
    <>
      This deletes <strong className="font-medium text-ink">{sum}</strong> now, instead of when
      their time in the trash is over.
    </>
  );
}
