import { type ReactNode, useMemo, useState } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { lazyComponent } from "../../../app/lazy-component.tsx";
import { showErrorToast } from "../../../components/toast-store.ts";
import { loadOperations } from "../../../operations/load-operations.ts";
import type { ShareSubject } from "../../../sharing/share-subject.ts";
import { type Entry, entryOfFile } from "../data/entry.ts";
import { NewFolderDialog } from "../dialogs/new-folder-dialog.tsx";
import { RenameDialog } from "../dialogs/rename-dialog.tsx";
import type { Changes } from "./changes.ts";

const CopyDialog = lazyComponent(async () => (await loadOperations()).CopyDialog);
const DeleteDialog = lazyComponent(async () => (await loadOperations()).DeleteDialog);
const MoveDialog = lazyComponent(async () => (await loadOperations()).MoveDialog);

const ShareDialog = lazyComponent(
  async () => (await import("../../../sharing/share-dialog.tsx")).ShareDialog,
);

const EditDialog = lazyComponent(async () => (await import("../edit/edit-dialog.tsx")).EditDialog);

const EmbedDialog = lazyComponent(
  async () => (await import("../embed/embed-dialog.tsx")).EmbedDialog,
);

const HeadersDialog = lazyComponent(
  async () => (await import("../dialogs/headers-dialog.tsx")).HeadersDialog,
);

const VisibilityDialog = lazyComponent(
  async () => (await import("../dialogs/visibility-dialog.tsx")).VisibilityDialog,
);

export interface Dialogs {
  newFolder(): void;
  move(entries: readonly Entry[]): void;
  copy(entries: readonly Entry[]): void;
  visibility(entries: readonly Entry[]): void;
  /** `trashDays` is 0 if the trash is off, and undefined if that is unknown. */
  remove(entries: readonly Entry[], trashDays: number | undefined): void;
  share(entry: Entry): void;
  edit(file: FileObject): void;
  embed(file: FileObject): void;
  headers(file: FileObject): void;
  rename(entry: Entry): void;
}

/**
 * The dialogs of the page, one at a time. `onFolderCreated` gets the key of a new folder. Those that users type
 * into right away are part of the page's script, so that the first keys reach them.
 */
export function useDialogs(
  folderKey: string,
  changes: Changes,
  onFolderCreated: (key: string) => void,
): [Dialogs, ReactNode] {
  const [dialog, setDialog] = useState<ReactNode>(null);
  const dialogs = useMemo<Dialogs>(() => {
    const onClose = () => setDialog(null);
    const remove: Dialogs["remove"] = (entries, trashDays) =>
      setDialog(
        <DeleteDialog
          entries={entries}
          trashDays={trashDays}
          changes={changes}
          onTrashOff={() => remove(entries, 0)}
          onClose={onClose}
        />,
      );
    const all: Dialogs = {
      newFolder: () =>
        setDialog(
          <NewFolderDialog
            within={folderKey}
            changes={changes}
            onCreated={onFolderCreated}
            onClose={onClose}
          />,
        ),
      move: (entries) =>
        setDialog(
          <MoveDialog entries={entries} from={folderKey} changes={changes} onClose={onClose} />,
        ),
      copy: (entries) =>
        setDialog(
          <CopyDialog entries={entries} from={folderKey} changes={changes} onClose={onClose} />,
        ),
      visibility: (entries) =>
        setDialog(<VisibilityDialog entries={entries} changes={changes} onClose={onClose} />),
      remove,
      share: (entry) => setDialog(<ShareDialog subject={subjectOf(entry)} onClose={onClose} />),
      edit: (file) => setDialog(<EditDialog file={file} onClose={onClose} />),
      embed: (file) =>
        setDialog(
          <EmbedDialog
            key={file.id}
            file={file}
            onMakePublic={() => {
              const shown: FileObject = { ...file, visibility: "public" };
              changes
                .setVisibility([entryOfFile(file)], "public")
                .then(() => all.embed(shown), showErrorToast);
            }}
            onClose={onClose}
          />,
        ),
      headers: (file) => setDialog(<HeadersDialog file={file} onClose={onClose} />),
      rename: (entry) =>
        setDialog(<RenameDialog entry={entry} changes={changes} onClose={onClose} />),
    };
    return all;
  }, [folderKey, changes, onFolderCreated]);
  return [dialogs, dialog];
}

const subjectOf = (entry: Entry): ShareSubject =>
  entry.kind === "file"
    ? { kind: "file", file: entry.file }
    : { kind: "folder", folder: entry.folder };
