import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { FolderObject, Quota } from "../../../../../sdk/src/holdall.ts";
import { quotasOf } from "../../../../../sdk/src/quotas.ts";
import { holdall } from "../../../app/connection/client.ts";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { Field } from "../../../components/fields/field.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { quotasKey } from "../../../quotas/quotas-query.ts";

export interface QuotaDialogProps {
  readonly folder: FolderObject;
  /** undefined: it has none. */
  readonly quota: Quota | undefined;
  readonly onClose: () => void;
}

/** Decimal, as all sizes in the dashboard. */
const GIGABYTE = 1000 ** 3;

/** Sets the limits of a folder; empty fields have none. */
export function QuotaDialog({ folder, quota, onClose }: QuotaDialogProps) {
  const client = useQueryClient();
  const [gigabytes, setGigabytes] = useState(
    quota?.maxBytes == null ? "" : String(quota.maxBytes / GIGABYTE),
  );
  const [files, setFiles] = useState(quota?.maxFiles == null ? "" : String(quota.maxFiles));
  const save = useMutation({
    mutationFn: () =>
      quotasOf(holdall).set(
        { id: folder.id },
        {
          maxBytes: gigabytes === "" ? null : Math.round(Number(gigabytes) * GIGABYTE),
          maxFiles: files === "" ? null : Number(files),
        },
      ),
    async onSuccess(saved) {
      if (saved === null) showToast("The quota is removed.");
      else if (saved.isExceeded)
        showToast("Quota set. More is used already, so nothing can be added.");
      else showToast("Quota set.");
      onClose();
      await client.invalidateQueries({ queryKey: quotasKey });
    },
  });
  return (
    <FormDialog
      title={
        <>
          Quota of “<bdi className="break-all">{folder.name}</bdi>”
        </>
      }
      submitLabel="Save"
      busy={save.isPending}
      errorText={save.error?.message}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Field
        label="Size in GB"
        hint="Empty: no limit. The trash and earlier versions count, too."
        type="number"
        min={0}
        step="any"
        inputMode="decimal"
        value={gigabytes}
        onChange={(event) => setGigabytes(event.target.value)}
      />
      <Field
        label="Number of files"
        hint="Empty: no limit."
        type="number"
        min={0}
        step={1}
        inputMode="numeric"
        value={files}
        onChange={(event) => setFiles(event.target.value)}
      />
    </FormDialog>
  );
}
