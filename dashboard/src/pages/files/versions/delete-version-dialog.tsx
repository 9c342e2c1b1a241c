import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import type { FileObject, FileVersion } from "../../../../../sdk/src/holdall.ts";
import { ConfirmDialog } from "../../../components/dialogs/confirm-dialog.tsx";
import { formatFullTimestamp } from "../../../text/timestamp.ts";
import { useDeleteVersion } from "./use-versions.ts";

export interface DeleteVersionDialogProps {
  readonly file: FileObject;
  readonly version: FileVersion;
  readonly onClose: () => void;
}

export function DeleteVersionDialog({ file, version, onClose }: DeleteVersionDialogProps) {
  const remove = useDeleteVersion(file.id, onClose);
  return (
    <ConfirmDialog
      title="Delete this version permanently?"
      confirmLabel="Delete permanently"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(version)}
      onClose={onClose}
    >
      <p>
        This deletes what “<bdi className="break-all">{file.name}</bdi>” contained on{" "}
        {formatFullTimestamp(version.modifiedAt)} ({formatBytes(version.size)}). The file itself
        stays.
      </p>
      <p>This cannot be undone.</p>
    </ConfirmDialog>
  );
}
