import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { FolderObject, Visibility } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { Link } from "../../../app/navigation/link.tsx";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { ChoiceList } from "../../../components/fields/choice-list.tsx";
import { LoadError } from "../../../components/load-error.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { parentKey } from "../../../text/key-parts.ts";
import { refreshFolders } from "../data/patch-folders.ts";
import { useFolderVisibility } from "../data/use-folder-visibility.ts";
import { useVisibilityCounts } from "../data/use-visibility-counts.ts";
import { ExistingFilesField } from "./existing-files-field.tsx";
import { FolderEndField } from "./folder-end-field.tsx";
import { VISIBILITY_CHOICES } from "./visibility-choices.ts";

export interface FolderVisibilityDialogProps {
  readonly folder: FolderObject;
  readonly onClose: () => void;
}

/** Sets the visibility of new files in a folder, and of those that are there. One request changes both. */
export function FolderVisibilityDialog({ folder, onClose }: FolderVisibilityDialogProps) {
  const { id, key, name } = folder;
  const client = useQueryClient();
  const now = useFolderVisibility(key);
  const counts = useVisibilityCounts([id]);
  const [chosen, setChosen] = useState<Visibility | "inherit">();
  const [existing, setExisting] = useState<Visibility>();
  const [end, setEnd] = useState<string>();
  const own = now.data?.folder.defaultVisibility;
  const isChanged = chosen !== undefined && own !== undefined && chosen !== (own ?? "inherit");
  const save = useMutation({
    mutationFn: () =>
      holdall.folders.update(id, {
        ...(existing === undefined ? {} : { visibility: existing }),
        ...(isChanged ? { defaultVisibility: chosen === "inherit" ? null : chosen } : {}),
        ...(end === undefined ? {} : { expireAfter: secondsOf(end) }),
      }),
    async onSuccess() {
      showToast(end === undefined ? "Visibility changed." : "Folder changed.");
      onClose();
      await refreshFolders(client);
    },
  });
  const canSave = existing !== undefined || isChanged || end !== undefined;
  return (
    <Dialog
      title={
        <>
          Visibility of “<bdi className="break-all">{name || "Files"}</bdi>”
        </>
      }
      onClose={onClose}
      onSubmit={() => {
        if (canSave && !save.isPending) save.mutate();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabled={!canSave}>
            Save
          </Button>
        </>
      }
    >
      {now.error && (
        <LoadError
          title="Couldn't load the visibility"
          error={now.error}
          onRetry={() => void now.refetch()}
        />
      )}
      {now.isPending && <Skeleton className="h-48" />}
      {now.data &&
        (key === "" ? (
          <RootDefault visibility={now.data.folder.effectiveVisibility} />
        ) : (
          <NewFilesField
            folderKey={key}
            value={chosen ?? now.data.folder.defaultVisibility ?? "inherit"}
            onChange={setChosen}
          />
        ))}
      {now.data && key !== "" && (
        <FolderEndField folder={now.data.folder} value={end} onChange={setEnd} />
      )}
      <ExistingFilesField counts={counts} value={existing} onChange={setExisting} />
      {save.error && <Notice tone="bad">{save.error.message}</Notice>}
    </Dialog>
  );
}

/** null: as in the parent folder. */
const secondsOf = (choice: string): number | null =>
  choice === "inherit" ? null : choice === "never" ? 0 : Number(choice);

function RootDefault({ visibility }: { readonly visibility: Visibility }) {
  return (
    <p className="text-muted text-sm">
      New files are <strong className="font-medium text-ink">{visibility}</strong>, unless their
      folder or their upload says otherwise. Change that in the{" "}
      <Link to="/settings/uploads" className="text-accent underline">
        settings
      </Link>
      .
    </p>
  );
}

interface NewFilesFieldProps {
  readonly folderKey: string;
  readonly value: Visibility | "inherit";
  readonly onChange: (value: Visibility | "inherit") => void;
}

function NewFilesField({ folderKey, value, onChange }: NewFilesFieldProps) {
  const above = useFolderVisibility(parentKey(folderKey) ?? "").data?.folder.effectiveVisibility;
  const inherit = {
    value: "inherit",
    label: above === undefined ? "Same as parent folder" : `Same as parent folder (${above})`,
    hint: "Follows that folder when it changes.",
  } as const;
  return (
    <ChoiceList
      legend="New files here and in subfolders"
      value={value}
      onChange={onChange}
      choices={[inherit, ...VISIBILITY_CHOICES]}
    />
  );
}
