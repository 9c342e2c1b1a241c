import { copyEntries } from "../pages/files/actions/copy-entries.ts";
import { deleteEntries } from "../pages/files/actions/delete-entries.ts";
import { moveEntries } from "../pages/files/actions/move-entries.ts";
import { renameEntry } from "../pages/files/actions/rename-entry.ts";
import { setVisibility } from "../pages/files/actions/set-visibility.ts";
import { ConflictDialog } from "../pages/files/dialogs/conflict-dialog.tsx";
import { CopyDialog } from "../pages/files/dialogs/copy-dialog.tsx";
import { DeleteDialog } from "../pages/files/dialogs/delete-dialog.tsx";
import { MoveDialog } from "../pages/files/dialogs/move-dialog.tsx";
import { deletePermanently } from "../trash/delete-permanently.ts";
import { restoreItems } from "../trash/restore.ts";
import { operate } from "./operate.ts";
import { OperationsPanel } from "./panel/operations-panel.tsx";

/** The changes of files and folders, the dialogs before them, and what shows them: one script, which `loadOperations` loads. */
export const allOperations = {
  copyEntries,
  deleteEntries,
  deletePermanently,
  moveEntries,
  // Uploads, which are a script of their own, run their operations with it.
  operate,
  renameEntry,
  restoreItems,
  setVisibility,
  ConflictDialog,
  CopyDialog,
  DeleteDialog,
  MoveDialog,
  OperationsPanel,
};

export type AllOperations = typeof allOperations;
