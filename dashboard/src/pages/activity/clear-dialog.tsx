import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { holdall } from "../../app/connection/client.ts";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { SelectField } from "../../components/fields/select-field.tsx";
import { showToast } from "../../components/toast-store.ts";
import { formatCount } from "../../text/format-count.ts";

const DAY_MS = 86_400_000;
const ALL = "all";

/** Ages in days. */
const CHOICES = [
  { value: "30", label: "Older than 30 days" },
  { value: "7", label: "Older than 7 days" },
  { value: "1", label: "Older than 24 hours" },
  { value: ALL, label: "All activity" },
];

/** Deletes activity permanently. */
export function ClearDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [choice, setChoice] = useState("30");
  const clear = useMutation({
    mutationFn: () =>
      holdall.activity.clear(
        choice === ALL ? { all: true } : { before: new Date(Date.now() - Number(choice) * DAY_MS) },
      ),
    onSuccess: async (deleted) => {
      onClose();
      showToast(`Deleted ${formatCount(deleted, "entry", "entries")}.`);
      await client.invalidateQueries({ queryKey: ["activity"] });
    },
  });
  return (
    <FormDialog
      title="Clear activity"
      onClose={onClose}
      onSubmit={clear.mutate}
      submitLabel="Delete permanently"
      submitVariant="danger"
      busy={clear.isPending}
      errorText={clear.error?.message}
    >
      <SelectField
        label="Delete"
        hint="This cannot be undone. The deletion itself appears in the activity."
        value={choice}
        options={CHOICES}
        onChange={setChoice}
      />
    </FormDialog>
  );
}
