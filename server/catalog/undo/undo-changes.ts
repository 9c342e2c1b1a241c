import { type DryRunChange, MAX_REPORTED } from "../../domain/dry-run.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import { summaryOf } from "../dry-run-report.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockTree } from "../folders/folder-locks.ts";
import { noSuchFolder } from "../folders/folder-path.ts";
import type { Undone, WantedUndo } from "../port/undo.ts";
import { settleUsage } from "../quotas/charge-usage.ts";
import { areWithin } from "../records/are-within.ts";
import { folderIdOf } from "../records/resolve-refs.ts";
import type { TakenBack } from "../tables/undo.ts";
import { orderEvents } from "./order-events.ts";
import { undoDeletions, undoReplacements } from "./undo-contents.ts";
import type { UndoEvent } from "./undo-event.ts";
import { findEvents } from "./undo-events.ts";
import { undoFiles, undoFolder, undoVisibility } from "./undo-properties.ts";
import { undoRestores } from "./undo-restores.ts";
import { createUndoRun, type UndoRun } from "./undo-run.ts";

export async function undoChanges(tx: Tx, wanted: WantedUndo): Promise<Undone> {
  await lockTree(tx);
  const collected: TreeChange[] = [];
  const takesBack = new Map<string, TakenBack>();
  const collecting: Tx = { ...tx, collected, takesBack };
  const folderId = wanted.folder === undefined ? undefined : await folderIdOf(tx, wanted.folder);
  if (wanted.folder !== undefined) {
    if (folderId === undefined || !(await areWithin(tx, [folderId]))) throw noSuchFolder();
  }
  const changes: DryRunChange[] = [];
  let total = 0;
  const { period, events } = await findEvents(tx, wanted);
  const run = createUndoRun(collecting, { period, folderId, keepMs: wanted.keepMs });
  for await (const group of orderEvents(tx, events)) {
    takesBack.clear();
    for (const event of group) noteTakenBack(takesBack, event);
    await undoGroup(run, group);
    // The next one may rename or move the same folders.
    await settleUsage(collecting);
    // Not all at the end: an undo may make very many.
    await recordChanges(tx, collected);
    total += collected.length;
    changes.push(...collected.slice(0, MAX_REPORTED - changes.length).map(summaryOf));
    collected.length = 0;
  }
  tx.dryRun?.conflicts.push(...run.conflicts);
  return {
    at: tx.now,
    changes,
    total,
    conflicts: run.conflicts.slice(0, MAX_REPORTED),
    restored: run.restored,
    failed: run.failed,
  };
}

function noteTakenBack(takesBack: Map<string, TakenBack>, event: UndoEvent): void {
  const { at, by } = event;
  if (event.kind !== "changed") {
    const id = event.kind === "replaced" ? event.fileId : event.id;
    takesBack.set(id, { at, by, takesBack: event.takesBack });
    return;
  }
  const { step } = event;
  const subjects = step.kind === "visibility" ? (step.files ?? []) : [step.id];
  for (const id of subjects) takesBack.set(id, { at, by, takesBack: step.takesBack });
}

async function undoGroup(run: UndoRun, events: readonly UndoEvent[]): Promise<void> {
  const [event] = events;
  if (event === undefined) return;
  run.forgetKeys();
  if (event.kind === "deleted") return undoDeletions(run, events);
  if (event.kind === "replaced") return undoReplacements(run, events);
  if (event.step.kind === "file") return undoFiles(run, events);
  if (event.step.kind === "folder") return undoFolder(run, event.id, event.step);
  if (event.step.kind === "restored") return undoRestores(run, events);
  if (event.step.kind === "visibility") return undoVisibility(run, event.id, event.step);
}
