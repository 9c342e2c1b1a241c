import type { FileRecord } from "../../domain/records.ts";
import { NOT_IN_TRASH } from "../../domain/trash.ts";
import { restoreTrash } from "../trash/restore-trash.ts";
import { restoreVersions } from "../trash/versions.ts";
import { findReplacements } from "./find-replacements.ts";
import type { ReplacedEvent, UndoEvent } from "./undo-event.ts";
import { recordRestores } from "./undo-restores.ts";
import { CHANGED_SINCE, lockLiveFiles, type UndoRun } from "./undo-run.ts";
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

/** Restores the contents that files had before their first replacements. */
export async function undoReplacements(run: UndoRun, events: readonly UndoEvent[]): Promise<void> {
  const { tx, period, keepMs, concerns, conflict, attempt } = run;
  const wanted = events.flatMap((event) => (event.kind === "replaced" ? [event] : []));
  const fileIds = wanted.map(({ fileId }) => fileId);
  const files = new Map((await lockLiveFiles(tx, fileIds)).map((file) => [file.id, file]));
  // Others may have replaced contents, or undone it, since the events were found.
  const found = await findReplacements(tx, period, new Set(files.keys()));
  const now = new Map(found.map((event) => [event.fileId, event]));
  const ready: { event: ReplacedEvent; file: FileRecord }[] = [];
  for (const { id, fileId } of wanted) {
    const file = files.get(fileId);
    const event = now.get(fileId);
    if (file === undefined || event === undefined || !(await concerns(file.key))) continue;
    const { blobId = file.blobId } = event;
    // While no versions are kept, only the blob shows that the content was replaced.
    if (event.id !== id || event.isContested || blobId !== file.blobId) {
      conflict("file", file.id, file.key, CHANGED_SINCE);
    } else ready.push({ event, file });
  }
  if (ready.length === 0) return;
  let restored = new Set<string>();
  const subjects = ready.map(({ file }) => file);
  const ids = ready.map(({ event }) => event.id);
  const isDone = await attempt("file", subjects, async () => {
    restored = new Set((await restoreVersions(tx, { ids, keepMs })).map(({ id }) => id));
  });
  if (!isDone) return;
  for (const { id, key } of subjects) {
    if (!restored.has(id)) conflict("file", id, key, "Version not found.");
  }
  const done = ready.filter(({ file }) => restored.has(file.id));
  await recordPassed(
    tx,
    done.flatMap(({ event }) => event.later.map((version) => ({ fileId: event.fileId, version }))),
  );
}
