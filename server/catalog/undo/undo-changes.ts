import { EVERYTHING } from "../../domain/callers/caller.ts";
import { isInFolder } from "../../domain/callers/scope.ts";
import { type DryRunConflict, MAX_REPORTED } from "../../domain/dry-run.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { FileRecord, Key, MetadataText } from "../../domain/records.ts";
import { NOT_IN_TRASH } from "../../domain/trash.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import { readMetadata } from "../../semantics/file-metadata.ts";
import { summaryOf } from "../dry-run-report.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockTree } from "../folders/folder-locks.ts";
import { noSuchFolder } from "../folders/folder-path.ts";
import type { FilesChange } from "../port/file-tree.ts";
import type { RestoredTrash } from "../port/trash.ts";
import type { Undone, WantedUndo } from "../port/undo.ts";
import { settleUsage } from "../quotas/charge-usage.ts";
import { areWithin, foldersWithin } from "../records/are-within.ts";
import { isLasting, isLive } from "../records/outside-tree.ts";
import { folderIdOf } from "../records/resolve-refs.ts";
import { selectFiles, selectFolders } from "../records/select-records.ts";
import type { TakenBack } from "../tables/undo.ts";
import { restoreTrash } from "../trash/restore-trash.ts";
import { restoreVersion } from "../trash/versions.ts";
import { changeFile } from "../tree/change-file.ts";
import { changeFiles } from "../tree/change-files.ts";
import { changeFolder } from "../tree/change-folder.ts";
import { findEvents, type UndoEvent } from "./undo-events.ts";
import {
  type FileState,
  type FolderState,
  keepStep,
  recordPassed,
  removeSteps,
  type UndoStep,
} from "./undo-steps.ts";

/** Events of one kind that are undone together. */
const AT_ONCE = 500;

const CHANGED_SINCE = "It was changed since.";
const GONE = "It is not in the tree any more.";

export async function undoChanges(tx: Tx, wanted: WantedUndo): Promise<Undone> {
  await lockTree(tx);
  const changes: TreeChange[] = [];
  const takesBack = new Map<string, TakenBack>();
  const collecting: Tx = { ...tx, collected: changes, takesBack };
  const folderId = wanted.folder === undefined ? undefined : await folderIdOf(tx, wanted.folder);
  if (wanted.folder !== undefined) {
    if (folderId === undefined || !(await areWithin(tx, [folderId]))) throw noSuchFolder();
  }
  const undo = createUndo(collecting, folderId, wanted.keepMs);
  for (const group of groupsOf(await findEvents(tx, wanted))) {
    takesBack.clear();
    for (const event of group) noteTakenBack(takesBack, event);
    await undo.group(group);
    // The next one may rename or move the same folders.
    await settleUsage(collecting);
  }
  await recordChanges(tx, changes);
  tx.dryRun?.conflicts.push(...undo.conflicts);
  return {
    changes: changes.slice(0, MAX_REPORTED).map(summaryOf),
    total: changes.length,
    conflicts: undo.conflicts.slice(0, MAX_REPORTED),
    restored: undo.restored,
    failed: undo.failed,
  };
}

function noteTakenBack(takesBack: Map<string, TakenBack>, event: UndoEvent): void {
  if (event.kind === "deleted") return;
  const { at, by } = event;
  if (event.kind === "replaced") {
    takesBack.set(event.fileId, { at, by, takesBack: event.takesBack });
    return;
  }
  const { step } = event;
  const subjects = step.kind === "visibility" ? (step.files ?? []) : [step.id];
  for (const id of subjects) takesBack.set(id, { at, by, takesBack: step.takesBack });
}

/** Neighbours that one change can undo, as their order among themselves makes no difference. */
function* groupsOf(events: readonly UndoEvent[]): Generator<UndoEvent[]> {
  let group: UndoEvent[] = [];
  let subjects = new Set<string>();
  for (const event of events) {
    const [last] = group;
    const subject = event.kind === "changed" ? event.step.id : event.id;
    const fits =
      last !== undefined &&
      group.length < AT_ONCE &&
      !subjects.has(subject) &&
      groupKey(last) === groupKey(event);
    if (!fits && group.length > 0) {
      yield group;
      group = [];
      subjects = new Set();
    }
    group.push(event);
    subjects.add(subject);
  }
  if (group.length > 0) yield group;
}

/** Equal for events that may be undone together, and unique for every other event. */
function groupKey(event: UndoEvent): string {
  // A folder may have contained what was deleted before it.
  if (event.kind === "deleted") return event.item.kind === "file" ? "deleted" : event.id;
  if (event.kind === "replaced" || event.step.kind !== "file") return event.id;
  const { name, metadata, ...together } = event.step.before;
  return name === undefined && metadata === undefined ? JSON.stringify(together) : event.id;
}

function createUndo(tx: Tx, folderId: string | undefined, keepMs: number) {
  const conflicts: DryRunConflict[] = [];
  const restored: RestoredTrash["restored"][number][] = [];
  const failed: RestoredTrash["failed"][number][] = [];

  /** Keys of folders by id. Valid within one group, because undoing a group may move folders. */
  const keys = new Map<string, Key | undefined>();

  async function folderKey(id: string): Promise<Key | undefined> {
    if (!keys.has(id)) {
      const folder = await selectFolders(tx.db).where("folders.id", "=", id).executeTakeFirst();
      keys.set(id, folder?.key);
    }
    return keys.get(id);
  }

  /** Whether one of the keys is in the folder of the undo, wherever that is now. */
  async function concerns(...keys: (string | undefined)[]): Promise<boolean> {
    if (folderId === undefined) return true;
    const top = await folderKey(folderId);
    return top !== undefined && keys.some((key) => key !== undefined && isInFolder(key, top));
  }

  function conflict(kind: "file" | "folder", id: string, key: string | null, reason: string): void {
    conflicts.push({ id, kind, key, reason });
  }

  /** A removed item may never have been in the folder of a limited caller. */
  function gone(kind: "file" | "folder", id: string): void {
    if (tx.within === EVERYTHING) conflict(kind, id, null, GONE);
  }

  /** Does work on subjects that the caller sees; its fault is a conflict of each. Returns whether it succeeded. */
  async function attempt(
    kind: "file" | "folder",
    subjects: readonly { readonly id: string; readonly key: string }[],
    work: () => Promise<unknown>,
  ): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Fault) || error.kind === "unavailable") throw error;
      for (const { id, key } of subjects) conflict(kind, id, key, error.message);
      return false;
    }
  }

  async function undoDeletions(events: readonly UndoEvent[]): Promise<void> {
    const items = events.flatMap((event) => (event.kind === "deleted" ? [event.item] : []));
    const wanted = items.filter(
      ({ parent_ids: parents, subject_id: id }) =>
        folderId === undefined || id === folderId || parents.split(",").includes(folderId),
    );
    if (wanted.length === 0) return;
    const result = await restoreTrash(tx, { ids: wanted.map(({ subject_id }) => subject_id) });
    restored.push(...result.restored);
    failed.push(...result.failed.filter(({ reason }) => reason !== NOT_IN_TRASH));
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

  async function undoReplacement(event: Extract<UndoEvent, { kind: "replaced" }>): Promise<void> {
    const [file] = await liveFiles(tx, [event.fileId]);
    if (file === undefined || !(await concerns(file.key))) return;
    const { id, key } = file;
    const { blobId = file.blobId } = event;
    // Replaced contents have no version if none are kept.
    if (event.isContested || blobId !== file.blobId) {
      return conflict("file", id, key, CHANGED_SINCE);
    }
    const isDone = await attempt("file", [file], () =>
      restoreVersion(tx, { id: event.id, keepMs }),
    );
    if (isDone) await recordPassed(tx, id, event.later);
  }

  async function undoFiles(events: readonly UndoEvent[]): Promise<void> {
    const steps = events.flatMap((event) =>
      event.kind === "changed" && event.step.kind === "file"
        ? [{ stepId: event.id, ...event.step }]
        : [],
    );
    const ids = steps.map(({ id }) => id);
    const files = new Map((await liveFiles(tx, ids)).map((file) => [file.id, file]));
    const ready: { stepId: string; file: FileRecord; before: Partial<FileState> }[] = [];
    for (const { stepId, id, before, after } of steps) {
      const file = files.get(id);
      const from = before.folderId === undefined ? undefined : await folderKey(before.folderId);
      if (!(await concerns(file?.key, from))) continue;
      if (file === undefined) gone("file", id);
      else if (!isAs(file, after)) conflict("file", id, file.key, CHANGED_SINCE);
      else ready.push({ stepId, file, before });
    }
    const [first] = ready;
    if (first === undefined) return;
    const { folderId: target, name, visibility, metadata } = first.before;
    if (name === undefined && metadata === undefined) {
      const change: FilesChange = {
        ids: ready.map(({ file }) => file.id),
        ...(target === undefined ? {} : { folderId: target }),
        ...(visibility === undefined ? {} : { visibility }),
      };
      let left = new Map<string, string>();
      const subjects = ready.map(({ file }) => file);
      const isDone = await attempt("file", subjects, async () => {
        const result = await changeFiles(tx, change);
        left = new Map(result.failed.map(({ id, message }) => [id, message]));
      });
      for (const { file } of ready) {
        const reason = left.get(file.id);
        if (reason !== undefined) conflict("file", file.id, file.key, reason);
      }
      const done = ready.filter(({ file }) => isDone && !left.has(file.id));
      return removeSteps(
        tx,
        done.map(({ stepId }) => stepId),
      );
    }
    const isDone = await attempt("file", [first.file], () =>
      changeFile(tx, {
        id: first.file.id,
        ...(target === undefined ? {} : { folderId: target }),
        ...(name === undefined ? {} : { name }),
        ...(visibility === undefined ? {} : { visibility }),
        ...(metadata === undefined ? {} : { metadata: patchTo(first.file.metadata, metadata) }),
      }),
    );
    if (isDone) await removeSteps(tx, [first.stepId]);
  }

  async function undoFolder(
    stepId: string,
    { id, before, after }: Extract<UndoStep, { kind: "folder" }>,
  ): Promise<void> {
    const { parentId, name, ...defaults } = before;
    const folder = await selectFolders(tx.db)
      .where("folders.id", "=", id)
      .where(isLive)
      .executeTakeFirst();
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

  async function undoVisibility(
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
    for (const file of await liveFiles(tx, files)) {
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

  return {
    conflicts,
    restored,
    failed,
    async group(events: readonly UndoEvent[]): Promise<void> {
      const [event] = events;
      if (event === undefined) return;
      keys.clear();
      if (event.kind === "deleted") return undoDeletions(events);
      if (event.kind === "replaced") return undoReplacement(event);
      if (event.step.kind === "file") return undoFiles(events);
      if (event.step.kind === "folder") return undoFolder(event.id, event.step);
      if (event.step.kind === "visibility") return undoVisibility(event.id, event.step);
    },
  };
}

/** Returns the files that are in the tree and that the caller may see. */
async function liveFiles(tx: Tx, ids: readonly string[]): Promise<FileRecord[]> {
  const found: FileRecord[] = [];
  for (const chunk of chunks([...new Set(ids)])) {
    const rows = selectFiles(tx.db).where("files.id", "in", chunk).where(isLive).where(isLasting);
    found.push(...(await rows.execute()));
  }
  if (tx.within === EVERYTHING) return found;
  const seen = await foldersWithin(tx, [...new Set(found.map(({ folderId }) => folderId))]);
  return found.filter(({ folderId }) => seen.has(folderId));
}

/** Whether the record has these properties. */
function isAs<State extends object>(record: State, wanted: Partial<State>): boolean {
  for (const field in wanted) {
    if (record[field] !== wanted[field]) return false;
  }
  return true;
}

/** Returns the change that turns one set of metadata into another. */
function patchTo(now: MetadataText | null, wanted: MetadataText | null) {
  if (wanted === null) return null;
  const removed = Object.keys(readMetadata(now)).map((field) => [field, null]);
  return { ...Object.fromEntries(removed), ...readMetadata(wanted) };
}
