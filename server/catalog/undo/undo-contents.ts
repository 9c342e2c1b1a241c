import { NOT_IN_TRASH } from "../../domain/trash.ts";
import { restoreTrash } from "../trash/restore-trash.ts";
import { restoreVersion } from "../trash/versions.ts";
import type { UndoEvent } from "./undo-events.ts";
import { recordRestores } from "./undo-restores.ts";
import { CHANGED_SINCE, liveFiles, type UndoRun } from "./undo-run.ts";
import { recordPassed } from "./undo-steps.ts";

/** Restores what is in the trash. */
export async function undoDeletions(run: UndoRun, events: readonly UndoEvent[]): Promise<void> {
  const { tx, folderId, restored, failed, conflict } = run;
  const items = events.flatMap((event) => (event.kind === "deleted" ? [event.item] : []));
  const wanted = items.filter(
    ({ parent_ids: parents, subject_id: id }) =>
      folderId === undefined || id === folderId || parents.split(",").includes(folderId),
  );
  if (wanted.length === 0) return;
  const result = await restoreTrash(tx, { ids: wanted.map(({ subject_id }) => subject_id) });
  restored.push(...result.restored);
  failed.push(...result.failed.filter(({ reason }) => reason !== NOT_IN_TRASH));
  await recordRestores(tx, result.restored);
  for (const { id, kind, key, renamed } of result.restored) {
    if (renamed) conflict(kind, id, key, "Its name was taken, so it has another one.");
  }
  const byId = new Map(wanted.map((item) => [item.subject_id, item]));
  for (const { id, reason } of result.failed) {
    const item = byId.get(id);
    // The caller does not see what is missing.
    if (item !== undefined && reason !== NOT_IN_TRASH) conflict(item.kind, id, item.key, reason);
  }
}

/** Restores the content that a file had before the first replacement. */
export async function undoReplacement(
  { tx, keepMs, concerns, conflict, attempt }: UndoRun,
  event: Extract<UndoEvent, { kind: "replaced" }>,
): Promise<void> {
  const [file] = await liveFiles(tx, [event.fileId]);
  if (file === undefined || !(await concerns(file.key))) return;
  const { id, key } = file;
  const { blobId = file.blobId } = event;
  // Replaced contents have no version if none are kept.
  if (event.isContested || blobId !== file.blobId) {
    return conflict("file", id, key, CHANGED_SINCE);
  }
  const isDone = await attempt("file", [file], () => restoreVersion(tx, { id: event.id, keepMs }));
  if (isDone) await recordPassed(tx, id, event.later);
}
