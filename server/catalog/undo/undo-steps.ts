import type { BlobId, FileRecord, FolderRecord, Visibility } from "../../domain/records.ts";
import { chunks, evenChunks } from "../engine/chunks.ts";
import { newId } from "../engine/ids.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { TakenBack, UndoStepsTable } from "../tables/undo.ts";

/** The properties of a file that an undo restores. */
export type FileState = Pick<FileRecord, "folderId" | "name" | "visibility" | "metadata">;

/** The properties of a folder that an undo restores. */
export type FolderState = Pick<
  FolderRecord,
  "parentId" | "name" | "defaultVisibility" | "expireAfter"
>;

/** The state of a file or folder right after an undo restored it. */
export type RestoredState =
  | ({ readonly of: "file" } & Pick<FileRecord, "folderId" | "name" | "blobId">)
  | ({ readonly of: "folder" } & Pick<FolderRecord, "parentId" | "name"> & {
        /** The contents, also of versions. Absent: there are too many to count. */
        readonly contents?: { readonly files: number; readonly bytes: number } | undefined;
      });

/** Only what has changed is in `before` and `after`. `takesBack`: the step is part of an undo. */
export type UndoStep = { readonly takesBack?: TakenBack | undefined } & (
  | {
      readonly kind: "file";
      readonly id: string;
      readonly before: Partial<FileState>;
      readonly after: Partial<FileState>;
    }
  | {
      readonly kind: "folder";
      readonly id: string;
      readonly before: Partial<FolderState>;
      readonly after: Partial<FolderState>;
    }
  /** Files that were in the folder `id` got this visibility, and had the other one. null: too many to keep. */
  | {
      readonly kind: "visibility";
      readonly id: string;
      readonly visibility: Visibility;
      readonly files: readonly string[] | null;
    }
  /**
   * The file `id` got other content, the blob `blobId`, and its former content is this version. `restores`: the id
   * that the other content had as a version.
   */
  | {
      readonly kind: "content";
      readonly id: string;
      readonly version: string;
      readonly blobId: BlobId;
      readonly restores?: string | undefined;
    }
  /** An undo brought back content from before this version of the file `id`. */
  | { readonly kind: "passed"; readonly id: string; readonly version: string }
  /** An undo brought this back from the trash. */
  | { readonly kind: "restored"; readonly id: string; readonly state: RestoredState }
  /** An undo put this into the trash again. */
  | { readonly kind: "trashed"; readonly id: string }
);

/** The step of a file's change; undefined: nothing has changed that an undo brings back. */
export function fileStep(before: FileRecord, after: FileRecord): UndoStep | undefined {
  const fields = ["folderId", "name", "visibility", "metadata"] as const;
  const changed = fields.filter((field) => before[field] !== after[field]);
  return changed.length === 0
    ? undefined
    : { kind: "file", id: after.id, before: pick(before, changed), after: pick(after, changed) };
}

/** The same of a folder. */
export function folderStep(before: FolderRecord, after: FolderRecord): UndoStep | undefined {
  const fields = ["parentId", "name", "defaultVisibility", "expireAfter"] as const;
  const changed = fields.filter((field) => before[field] !== after[field]);
  return changed.length === 0
    ? undefined
    : { kind: "folder", id: after.id, before: pick(before, changed), after: pick(after, changed) };
}

function pick<T extends object, F extends keyof T>(record: T, fields: readonly F[]): Partial<T> {
  const picked: Partial<T> = {};
  for (const field of fields) picked[field] = record[field];
  return picked;
}

/** Keeps steps for an undo, in their order. Those of the command line and of jobs are not kept. */
export async function recordSteps(tx: Tx, steps: readonly (UndoStep | undefined)[]): Promise<void> {
  const { id: actorId } = tx.actor;
  if (actorId === null) return;
  const rows = steps.flatMap((step) =>
    step === undefined
      ? []
      : [toRow(tx, actorId, { ...step, takesBack: tx.takesBack?.get(step.id) })],
  );
  await addRows(tx, rows);
}

/** Keeps which versions an undo passed over: no other undo brings them back. */
export async function recordPassed(
  tx: Tx,
  passed: readonly { readonly fileId: string; readonly version: string }[],
): Promise<void> {
  const rows = passed.map(({ fileId: id, version }) =>
    toRow(tx, "", { kind: "passed", id, version }),
  );
  await addRows(tx, rows);
}

const toRow = ({ now }: Tx, actorId: string, { kind, id, ...data }: UndoStep): UndoStepsTable => ({
  id: newId(now),
  at: now,
  actor_id: actorId,
  kind,
  subject_id: id,
  data: JSON.stringify(data),
});

async function addRows(tx: Tx, rows: readonly UndoStepsTable[]): Promise<void> {
  for (const items of evenChunks(rows)) {
    await tx.all(insertSteps(items.length), { items, shared: {} });
  }
}

export const toStep = ({ kind, subject_id: id, data }: UndoStepsTable): UndoStep => ({
  ...JSON.parse(data),
  kind,
  id,
});

/** Forgets what can no longer be undone. */
export async function pruneUndo(tx: Tx, { before }: { readonly before: number }): Promise<void> {
  await tx.db.deleteFrom("undo_steps").where("at", "<", before).execute();
  await tx.db.deleteFrom("former_keys").where("ended_at", "<", before).execute();
}

export async function removeSteps(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const chunk of chunks(ids)) {
    await tx.db.deleteFrom("undo_steps").where("id", "in", chunk).execute();
  }
}

/** Leaves the visibility of these files to a later undo. */
export async function keepStep(
  tx: Tx,
  stepId: string,
  { kind: _, id: __, ...data }: Extract<UndoStep, { kind: "visibility" }>,
): Promise<void> {
  await tx.db
    .updateTable("undo_steps")
    .set({ data: JSON.stringify(data) })
    .where("id", "=", stepId)
    .execute();
}

const insertSteps = preparedForItems<UndoStepsTable, Record<never, never>, unknown>((db, rows) =>
  db.insertInto("undo_steps").values(
    rows.map((row) => ({
      id: row("id"),
      at: row("at"),
      actor_id: row("actor_id"),
      kind: row("kind"),
      subject_id: row("subject_id"),
      data: row("data"),
    })),
  ),
);
