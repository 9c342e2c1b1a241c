import { endOf } from "../../domain/lifetime.ts";
import type { FileRecord, FolderRecord } from "../../domain/records.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { noTarget } from "../folders/folder-path.ts";
import type { FailedItem, FilesChange, FilesChanged } from "../port/file-tree.ts";
import { topOfChild } from "../quotas/usage.ts";
import { nameColumns } from "../records/name-columns.ts";
import { fileStep, recordSteps, type UndoStep } from "../undo/undo-steps.ts";
import { newEnd } from "./change-file.ts";
import { lockSelected } from "./lock-selected.ts";
import { placeFiles } from "./place-files.ts";

export async function changeFiles(tx: Tx, input: FilesChange): Promise<FilesChanged> {
  const { files, missing, folders, target } = await lockSelected(tx, { ...input, noTarget });
  const { places, skipped, failed, undoId } = await findPlaces(tx, files, target, input);
  const changed: FileRecord[] = [];
  const altered: Pick<FileRecord, "id" | "key">[] = [];
  const renamed: FileRecord[] = [];
  const changes: TreeChange[] = [];
  const steps: (UndoStep | undefined)[] = [];
  const origins = new Set<string>();
  for (const { file, place } of places) {
    if (skipped.has(file.id)) {
      changed.push(file);
      continue;
    }
    const visibility = input.visibility ?? file.visibility;
    const moves = place.folderId !== file.folderId;
    const expiresAt = newEnd(tx, file, input);
    if (!moves && visibility === file.visibility && expiresAt === file.expiresAt) {
      changed.push(file);
      continue;
    }
    const { folderId, name, key } = place;
    const record = { ...file, folderId, name, key, visibility, updatedAt: tx.now, expiresAt };
    changed.push(record);
    if (name !== file.name) renamed.push(record);
    steps.push(fileStep(file, record));
    altered.push({ id: file.id, key: file.key });
    if (moves) origins.add(file.folderId);
    tx.usage.moveFiles({ ids: [file.id], from: topOfChild(file.key), to: topOfChild(key) });
    changes.push(
      moves
        ? { kind: "file.moved", file: record, fromKey: file.key }
        : { kind: "file.updated", file: record },
    );
  }
  // Their old names are taken in the new folder, so each gets both at once. The extension stays.
  for (const { id, folderId, name } of renamed) {
    const place = { folder_id: folderId, ...nameColumns(name) };
    await tx.db.updateTable("files").set(place).where("id", "=", id).execute();
  }
  for (const chunk of chunks(altered.map(({ id }) => id))) {
    await tx.db
      .updateTable("files")
      .set({
        ...(target === undefined ? {} : { folder_id: target.id }),
        ...(input.visibility === undefined ? {} : { visibility: input.visibility }),
        ...(input.lifetime === undefined ? {} : { expires_at: endOf(input.lifetime, tx.now) }),
        updated_at: tx.now,
      })
      .where("id", "in", chunk)
      .execute();
  }
  await recordSteps(tx, steps);
  await recordChanges(tx, changes);
  const [origin = ""] = origins.size === 1 ? origins : [];
  const movedFrom = folders.get(origin)?.key;
  return {
    changed,
    altered,
    failed,
    missing,
    ...(movedFrom === undefined ? {} : { movedFrom }),
    ...(undoId === undefined ? {} : { undoId }),
  };
}

interface PlacedFile {
  readonly file: FileRecord;
  readonly place: Pick<FileRecord, "folderId" | "name" | "key">;
}

interface Places {
  readonly places: readonly PlacedFile[];
  readonly skipped: ReadonlySet<string>;
  readonly failed: readonly FailedItem[];
  readonly undoId: string | undefined;
}

/** The place that each file will have. */
async function findPlaces(
  tx: Tx,
  files: readonly FileRecord[],
  target: FolderRecord | undefined,
  input: FilesChange,
): Promise<Places> {
  const inPlace = (file: FileRecord): PlacedFile => ({ file, place: file });
  if (target === undefined) {
    return { places: files.map(inPlace), skipped: new Set(), failed: [], undoId: undefined };
  }
  const stays = ({ folderId }: FileRecord): boolean => folderId === target.id;
  const kept = new Set(files.filter(stays).map(({ name }) => name));
  const arrivals = files.filter((file) => !stays(file)).map((file) => ({ file, name: file.name }));
  const found = await placeFiles(tx, target, arrivals, { ...input, kept });
  const places: PlacedFile[] = [];
  const skipped = new Set<string>();
  const failed: FailedItem[] = [];
  for (const file of files) {
    const { id } = file;
    const place = found.places.get(id);
    if (place === undefined) places.push(inPlace(file));
    else if (place === "skipped") {
      skipped.add(id);
      places.push(inPlace(file));
    } else if ("fault" in place) {
      const takenBy = place.holder === undefined ? {} : { takenBy: place.holder };
      const { message, code } = place.fault;
      failed.push({ id, key: file.key, message, code, ...takenBy });
    } else places.push({ file, place: { folderId: target.id, ...place } });
  }
  return { places, skipped, failed, undoId: found.undoId };
}
