import { useState } from "react";
import type { Visibility } from "../../../../../sdk/src/holdall.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { ChoiceList } from "../../../components/fields/choice-list.tsx";
import { showErrorToast } from "../../../components/toast-store.ts";
import type { Changes } from "../actions/changes.ts";
import { type Entry, isFile, isFolder } from "../data/entry.ts";
import { useVisibilityCounts } from "../data/use-visibility-counts.ts";
import { EntriesLabel } from "./entries-label.tsx";
import { FolderVisibilityDialog } from "./folder-visibility-dialog.tsx";
import { VISIBILITY_CHOICES } from "./visibility-choices.ts";

export interface VisibilityDialogProps {
  readonly entries: readonly Entry[];
  readonly changes: Changes;
  readonly onClose: () => void;
}

export function VisibilityDialog({ entries, changes, onClose }: VisibilityDialogProps) {
  const [first] = entries;
  return entries.length === 1 && first?.kind === "folder" ? (
    <FolderVisibilityDialog folder={first.folder} onClose={onClose} />
  ) : (
    <SelectionVisibilityDialog entries={entries} changes={changes} onClose={onClose} />
  );
}

/** Sets the visibility of files, and of everything in folders. Says first what they are. */
function SelectionVisibilityDialog({ entries, changes, onClose }: VisibilityDialogProps) {
  const folders = entries.filter(isFolder);
  const counts = useVisibilityCounts(folders.map(({ id }) => id));
  const inFolders = counts.data?.files ?? { public: 0, private: 0 };
  const files = entries.filter(isFile);
  const privateFiles = files.filter(({ file }) => file.visibility === "private").length;
  const now = {
    public: files.length - privateFiles + inFolders.public,
    private: privateFiles + inFolders.private,
  };
  const isCounting = folders.length > 0 && counts.isPending;
  const [chosen, setChosen] = useState<Visibility>();
  const visibility = chosen ?? (now.public === 0 && now.private > 0 ? "public" : "private");
  return (
    <Dialog
      title={
        <>
          Visibility of <EntriesLabel entries={entries} />
        </>
      }
      onClose={onClose}
      onSubmit={() => {
        onClose();
        void changes.setVisibility(entries, visibility).catch(showErrorToast);
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={isCounting}>
            Make {visibility}
          </Button>
        </>
      }
    >
      {counts.error ? (
        <p role="alert" className="text-bad text-sm">
          Couldn't count the files: {counts.error.message}
        </p>
      ) : (
        <p role="status" className="text-muted text-sm">
          {isCounting
            ? "Counting files…"
            : `Now: ${now.public.toLocaleString()} public, ${now.private.toLocaleString()} private.`}
        </p>
      )}
      <ChoiceList
        legend="Visibility"
        isLegendHidden
        value={visibility}
        onChange={setChosen}
        choices={VISIBILITY_CHOICES}
      />
      {folders.length > 0 && (
        <p className="text-muted text-sm">
          This includes all files in subfolders. New files follow the default of their folder.
        </p>
      )}
    </Dialog>
  );
}
