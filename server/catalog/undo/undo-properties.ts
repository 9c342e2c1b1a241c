import type { FileRecord, MetadataText } from "../../domain/records.ts";
import { readMetadata } from "../../semantics/file-metadata.ts";
import { areWithin } from "../records/are-within.ts";
import { changeEach } from "../tree/change-each.ts";
import { changeFiles } from "../tree/change-files.ts";
import { changeFolder } from "../tree/change-folder.ts";
import type { UndoEvent } from "./undo-event.ts";
import { CHANGED_SINCE, isAs, liveFolder, lockLiveFiles, type UndoRun } from "./undo-run.ts";
import {
  type FileState,
  type FolderState,
  keepStep,
  removeSteps,
  type UndoStep,
} from "./undo-steps.ts";

/** Gives files their former names, folders, visibility and metadata. */
export async function undoFiles(run: UndoRun, events: readonly UndoEvent[]): Promise<void> {
  const { tx, folderKey, concerns, conflict, gone } = run;
  const steps = events.flatMap((event) =>
    event.kind === "changed" && event.step.kind === "file"
      ? [{ stepId: event.id, ...event.step }]
      : [],
  );
  const ids = steps.map(({ id }) => id);
  const targets = steps.flatMap(({ before }) => before.folderId ?? []);
  const files = new Map((await lockLiveFiles(tx, ids, targets)).map((file) => [file.id, file]));
  const ready: { stepId: string; file: FileRecord; before: Partial<FileState> }[] = [];
  for (const { stepId, id, before, after } of steps) {
    const file = files.get(id);
    const from = before.folderId === undefined ? undefined : await folderKey(before.folderId);
    if (!(await concerns(file?.key, from))) continue;
    if (file === undefined) gone("file", id);
    else if (!isAs(file, after)) conflict("file", id, file.key, CHANGED_SINCE);
    else ready.push({ stepId, file, before });
  }
  const faults = await changeEach(
    tx,
    ready.map(({ file, before: { metadata, ...others } }) => ({
      id: file.id,
      ...others,
      ...(metadata === undefined ? {} : { metadata: patchTo(file.metadata, metadata) }),
    })),
  );
  for (const { file } of ready) {
    const fault = faults.get(file.id);
    if (fault !== undefined) conflict("file", file.id, file.key, fault.message);
  }
  const done = ready.filter(({ file }) => !faults.has(file.id));
  await removeSteps(
    tx,
    done.map(({ stepId }) => stepId),
  );
}

/** Gives a folder its former properties. */
export async function undoFolder(
  { tx, folderKey, concerns, conflict, gone, attempt }: UndoRun,
  stepId: string,
  { id, before, after }: Extract<UndoStep, { kind: "folder" }>,
): Promise<void> {
  const { parentId, name, ...defaults } = before;
  const folder = await liveFolder(tx, id);
  const from = parentId == null ? undefined : await folderKey(parentId);
  if (!(await concerns(folder?.key, from))) return;
  if (folder === undefined) return gone("folder", id);
  if (!(await areWithin(tx, [id]))) return;
  if (!isAs<FolderState>(folder, after)) return conflict("folder", id, folder.key, CHANGED_SINCE);
  const isDone = await attempt("folder", [folder], () =>
    // Some faults come when the folder has moved already.
    tx.nested(() =>
      changeFolder(tx, {
        id,
        ...(parentId == null ? {} : { parentId }),
        ...(name === undefined || name === "" ? {} : { name }),
        ...defaults,
      }),
    ),
  );
  if (isDone) await removeSteps(tx, [stepId]);
}

/** Gives the files that a folder's change has made public or private their former visibility. */
export async function undoVisibility(
  { tx, folderKey, concerns, conflict, attempt }: UndoRun,
  stepId: string,
  step: Extract<UndoStep, { kind: "visibility" }>,
): Promise<void> {
  const { id, visibility, files } = step;
  if (files === null) {
    const [key, isSeen] = [await folderKey(id), await areWithin(tx, [id])];
    if (key !== undefined && isSeen && (await concerns(key))) {
      conflict("folder", id, key, "Too many files changed their visibility.");
    }
    return;
  }
  const ready: FileRecord[] = [];
  for (const file of await lockLiveFiles(tx, files)) {
    if (file.visibility === visibility && (await concerns(file.key))) ready.push(file);
  }
  if (ready.length === 0) return;
  const former = visibility === "public" ? "private" : "public";
  const isDone = await attempt("file", ready, () =>
    changeFiles(tx, { ids: ready.map((file) => file.id), visibility: former }),
  );
  if (!isDone) return;
  const done = new Set(ready.map((file) => file.id));
  const left = files.filter((each) => !done.has(each));
  if (left.length === 0) await removeSteps(tx, [stepId]);
  else await keepStep(tx, stepId, { ...step, files: left });
}

/** Returns the change that turns one set of metadata into another. */
function patchTo(now: MetadataText | null, wanted: MetadataText | null) {
  if (wanted === null) return null;
  const removed = Object.keys(readMetadata(now)).map((field) => [field, null]);
  return { ...Object.fromEntries(removed), ...readMetadata(wanted) };
}
