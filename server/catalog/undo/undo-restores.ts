import { Fault } from "../../domain/faults/fault.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import type { RestoredTrash } from "../port/trash.ts";
import { countInside } from "../quotas/count-contents.ts";
import { areWithin } from "../records/are-within.ts";
import { trashFiles } from "../trash/trash-files.ts";
import { trashFolder } from "../trash/trash-folder.ts";
import { lockFolderToRemove } from "../tree/remove-folder.ts";
import type { UndoEvent } from "./undo-event.ts";
import {
  CHANGED_SINCE,
  isAs,
  liveFiles,
  liveFolder,
  lockLiveFiles,
  type UndoRun,
} from "./undo-run.ts";
import { type RestoredState, recordSteps, removeSteps, type UndoStep } from "./undo-steps.ts";

/** Folders with more contents are not counted, and so may have got others since. */
const COUNTED = 10_000;

/** Keeps what an undo has restored, so that another one can take it back. */
export async function recordRestores(tx: Tx, restored: RestoredTrash["restored"]): Promise<void> {
  const ids = restored.flatMap(({ kind, id }) => (kind === "file" ? [id] : []));
  const steps: UndoStep[] = [];
  for (const { id, kind } of restored) {
    if (kind === "file") continue;
    const state = await folderState(tx, id);
    if (state !== undefined) steps.push({ kind: "restored", id, state });
  }
  for (const { id, folderId, name, blobId } of await liveFiles(tx, ids)) {
    steps.push({ kind: "restored", id, state: { of: "file", folderId, name, blobId } });
  }
  await recordSteps(tx, steps);
}

/** Puts what an undo has restored into the trash again. */
export async function undoRestores(run: UndoRun, events: readonly UndoEvent[]): Promise<void> {
  const { tx, keepMs, folderKey, concerns, conflict, gone, attempt } = run;
  const steps = events.flatMap((event) =>
    event.kind === "changed" && event.step.kind === "restored"
      ? [{ stepId: event.id, ...event.step }]
      : [],
  );
  const ids = steps.flatMap(({ id, state }) => (state.of === "file" ? [id] : []));
  const files = new Map((await lockLiveFiles(tx, ids)).map((file) => [file.id, file]));
  const ready: { stepId: string; file: FileRecord }[] = [];
  for (const { stepId, id, state } of steps) {
    if (state.of === "folder") {
      await undoFolderRestore(run, { stepId, id, state });
      continue;
    }
    const { of: _, ...wanted } = state;
    const file = files.get(id);
    if (!(await concerns(file?.key, await folderKey(state.folderId)))) continue;
    if (file === undefined) gone("file", id);
    else if (!isAs<Partial<FileRecord>>(file, wanted))
      conflict("file", id, file.key, CHANGED_SINCE);
    else ready.push({ stepId, file });
  }
  if (ready.length === 0) return;
  const trashed = ready.map(({ file }) => file.id);
  const isDone = await attempt(
    "file",
    ready.map(({ file }) => file),
    () => tx.nested(() => trashFiles(tx, { ids: trashed, keepMs })),
  );
  if (!isDone) return;
  await recordSteps(
    tx,
    trashed.map((id) => ({ kind: "trashed", id })),
  );
  await removeSteps(
    tx,
    ready.map(({ stepId }) => stepId),
  );
}

type FolderState = Extract<RestoredState, { of: "folder" }>;

async function undoFolderRestore(
  { tx, keepMs, folderKey, concerns, conflict, gone, attempt }: UndoRun,
  { stepId, id, state }: { stepId: string; id: string; state: FolderState },
): Promise<void> {
  const folder = await liveFolder(tx, id);
  const from = state.parentId === null ? undefined : await folderKey(state.parentId);
  if (!(await concerns(folder?.key, from))) return;
  if (folder === undefined) return gone("folder", id);
  if (!(await areWithin(tx, [id]))) return;
  const isSame = async (): Promise<boolean> =>
    JSON.stringify(await folderState(tx, id)) === JSON.stringify(state);
  if (!(await isSame())) return conflict("folder", id, folder.key, CHANGED_SINCE);
  const isDone = await attempt("folder", [folder], () =>
    tx.nested(async () => {
      await lockFolderToRemove(tx, id);
      // Others may have stored files in it before it was locked.
      if (!(await isSame())) throw new Fault("conflict", CHANGED_SINCE);
      await trashFolder(tx, { id, keepMs });
    }),
  );
  if (!isDone) return;
  await recordSteps(tx, [{ kind: "trashed", id }]);
  await removeSteps(tx, [stepId]);
}

/** Returns the state of a folder. undefined: it is not in the tree. */
async function folderState(tx: Tx, id: string): Promise<FolderState | undefined> {
  const folder = await liveFolder(tx, id);
  if (folder === undefined) return undefined;
  const { parentId, name, key } = folder;
  const counted = await countInside(tx.db, key, COUNTED);
  const contents = counted && { files: counted.files, bytes: counted.bytes };
  return { of: "folder", parentId, name, contents };
}
