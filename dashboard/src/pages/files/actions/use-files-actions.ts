import { useMemo } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { showErrorToast } from "../../../components/toast-store.ts";
import { isFile, isFolder } from "../data/entry.ts";
import type { FilesActions } from "./files-actions.ts";
import { saveUrl, saveZip } from "./save-url.ts";
import type { Changes } from "./use-changes.ts";
import type { Dialogs } from "./use-dialogs.tsx";

export interface FilesActionsInput {
  readonly changes: Changes;
  readonly dialogs: Dialogs;
  readonly open: (key: string) => void;
  readonly openFile: (id: string) => void;
  readonly setRenaming: (id: string) => void;
}

export function useFilesActions(input: FilesActionsInput) {
  const { changes, dialogs, open, openFile, setRenaming } = input;
  return useMemo(() => {
    const urlOf = (file: FileObject) => holdall.url(file);
    const actions: FilesActions = {
      open: (entry) => {
        if (entry.kind === "folder") open(entry.folder.key);
        else openFile(entry.id);
      },
      rename: (entry) => setRenaming(entry.id),
      move: dialogs.move,
      moveInto: (entries, folder) => void changes.move(entries, folder).catch(showErrorToast),
      visibility: dialogs.visibility,
      setVisibility: (entries, visibility) =>
        void changes.setVisibility(entries, visibility).catch(showErrorToast),
      remove: dialogs.remove,
      download: (entries) => {
        const [first] = entries;
        if (first === undefined) return;
        if (entries.length > 1) {
          const ids = entries.filter(isFile).map(({ id }) => id);
          const folderIds = entries.filter(isFolder).map(({ id }) => id);
          saveZip(holdall.files.zipForm({ ids, folderIds }), showErrorToast);
        } else if (first.kind === "folder") saveUrl(holdall.folders.downloadUrl(first.id));
        else saveUrl(holdall.url(first.file, { download: true }));
      },
      share: dialogs.share,
      details: dialogs.details,
      newFolder: dialogs.newFolder,
    };
    return { ...actions, urlOf };
  }, [changes, dialogs, open, openFile, setRenaming]);
}
