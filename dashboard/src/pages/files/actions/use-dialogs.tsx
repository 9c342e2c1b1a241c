import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import type { Entry } from "../data/entry.ts";
import type { Changes } from "./use-changes.ts";

const NewFolderDialog = lazy(async () => ({
  default: (await import("../dialogs/new-folder-dialog.tsx")).NewFolderDialog,
}));
const MoveDialog = lazy(async () => ({
  default: (await import("../dialogs/move-dialog.tsx")).MoveDialog,
}));
const VisibilityDialog = lazy(async () => ({
  default: (await import("../dialogs/visibility-dialog.tsx")).VisibilityDialog,
}));
const DeleteDialog = lazy(async () => ({
  default: (await import("../dialogs/delete-dialog.tsx")).DeleteDialog,
}));
const RenameDialog = lazy(async () => ({
  default: (await import("../dialogs/rename-dialog.tsx")).RenameDialog,
}));
const LinkDialog = lazy(async () => ({
  default: (await import("../dialogs/link-dialog.tsx")).LinkDialog,
}));

export interface Dialogs {
  newFolder(): void;
  move(entries: readonly Entry[]): void;
  visibility(entries: readonly Entry[]): void;
  remove(entries: readonly Entry[]): void;
  link(file: FileObject): void;
  rename(entry: Entry): void;
}

/** The dialogs of the page, one at a time; their scripts come when they are first asked for. */
export function useDialogs(folderKey: string, changes: Changes): [Dialogs, ReactNode] {
  const [dialog, setDialog] = useState<ReactNode>(null);
  const dialogs = useMemo<Dialogs>(() => {
    const onClose = () => setDialog(null);
    return {
      newFolder: () =>
        setDialog(<NewFolderDialog within={folderKey} changes={changes} onClose={onClose} />),
      move: (entries) =>
        setDialog(
          <MoveDialog entries={entries} from={folderKey} changes={changes} onClose={onClose} />,
        ),
      visibility: (entries) =>
        setDialog(<VisibilityDialog entries={entries} changes={changes} onClose={onClose} />),
      remove: (entries) =>
        setDialog(<DeleteDialog entries={entries} changes={changes} onClose={onClose} />),
      link: (file) => setDialog(<LinkDialog file={file} onClose={onClose} />),
      rename: (entry) =>
        setDialog(<RenameDialog entry={entry} changes={changes} onClose={onClose} />),
    };
  }, [folderKey, changes]);
  return [dialogs, <Suspense key="dialog">{dialog}</Suspense>];
}
