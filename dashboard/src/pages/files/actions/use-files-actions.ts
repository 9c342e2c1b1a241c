import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { saveUrl } from "../../../app/save-url.ts";
import { showErrorToast } from "../../../components/toast-store.ts";
import { canAll, type Right } from "../../../rights/rights.ts";
import { isFile, isFolder } from "../data/entry.ts";
import { setDetailsOpen } from "../details/details-store.ts";
import type { Changes } from "./changes.ts";
import type { FilesActions } from "./files-actions.ts";
import { NEEDS } from "./needs.ts";
import { needsConfirmation } from "./needs-confirmation.ts";
import { saveZip } from "./save-zip.ts";
import type { Dialogs } from "./use-dialogs.tsx";

export interface FilesActionsInput {
  readonly changes: Changes;
  readonly dialogs: Dialogs;
  readonly open: (key: string) => void;
  readonly openFile: (id: string) => void;
  readonly setRenaming: (id: string) => void;
  /** Selects only this entry. */
  readonly select: (id: string) => void;
  /** 0: the trash is off; undefined: not known yet. */
  readonly trashDays: number | undefined;
}

export function useFilesActions(input: FilesActionsInput) {
  const { changes, dialogs, open, openFile, setRenaming, select, trashDays } = input;
  const client = useQueryClient();
  return useMemo(() => {
    const urlOf = (file: FileObject) => holdall.url(file);
    const actions: FilesActions = {
      open: (entry) => {
        if (entry.kind === "folder") open(entry.folder.key);
        else openFile(entry.id);
      },
      rename: (entry) => setRenaming(entry.id),
      move: dialogs.move,
      duplicate: (entries) => void changes.copy(entries, undefined).catch(showErrorToast),
      copy: dialogs.copy,
      moveInto: (entries, folder) => void changes.move(entries, folder).catch(showErrorToast),
      visibility: dialogs.visibility,
      setVisibility: (entries, visibility) =>
        void changes.setVisibility(entries, visibility).catch(showErrorToast),
      remove: (entries) => {
        // The trash makes a confirmation needless, unless much would go at once. While the settings are not
        // read, the server says if the trash is off: it deletes nothing then, and the dialog asks.
        if (trashDays === 0 || needsConfirmation(client, entries))
          dialogs.remove(entries, trashDays);
        else {
          const onTrashOff = () => dialogs.remove(entries, 0);
          void changes.delete(entries, { isPermanent: false, onTrashOff }).catch(showErrorToast);
        }
      },
      download: (entries) => {
        const [first] = entries;
        if (first === undefined) return;
        if (entries.length > 1) {
          const ids = entries.filter(isFile).map(({ id }) => id);
          const folderIds = entries.filter(isFolder).map(({ id }) => id);
          void saveZip({ ids, folderIds }).catch(showErrorToast);
        } else if (first.kind === "folder") saveUrl(holdall.folders.downloadUrl(first.id));
        else saveUrl(holdall.url(first.file, { download: true }));
      },
      share: dialogs.share,
      details: ({ id }) => {
        select(id);
        setDetailsOpen(true);
      },
      headers: dialogs.headers,
      edit: dialogs.edit,
      embed: dialogs.embed,
      newFolder: dialogs.newFolder,
    };
    return { ...permitted(actions), urlOf };
  }, [client, changes, dialogs, open, openFile, setRenaming, select, trashDays]);
}

/** Keys and drags do nothing that the account may not do. Menus and buttons leave it out. */
function permitted(actions: FilesActions): FilesActions {
  const only =
    <Input extends readonly unknown[]>(
      needs: readonly Right[],
      action: (...input: Input) => void,
    ): ((...input: Input) => void) =>
    (...input) => {
      if (canAll(needs)) action(...input);
    };
  return {
    ...actions,
    rename: only(NEEDS.write, actions.rename),
    move: only(NEEDS.write, actions.move),
    moveInto: only(NEEDS.write, actions.moveInto),
    newFolder: only(NEEDS.write, actions.newFolder),
    remove: only(NEEDS.remove, actions.remove),
  };
}
