import { withoutFound } from "../../../contract/text/charset.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { endOf } from "../../domain/lifetime.ts";
import { mediaTypeAfterRename } from "../../domain/media.ts";
import { rejectC1 } from "../../domain/names/name.ts";
import type { FileRecord, FolderRecord, MetadataText, Millis, Name } from "../../domain/records.ts";
import { changeMetadata, needsNewValidators, readMetadata } from "../../semantics/file-metadata.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockFiles } from "../folders/file-locks.ts";
import { lockFolders } from "../folders/folder-locks.ts";
import { noTarget } from "../folders/folder-path.ts";
import type { ChangedFile, FileChange } from "../port/file-tree.ts";
import { topOfChild } from "../quotas/usage.ts";
import { areWithin } from "../records/are-within.ts";
import { nameColumns } from "../records/name-columns.ts";
import { fileIdsOf, folderIdOf } from "../records/resolve-refs.ts";
import { selectFiles } from "../records/select-records.ts";
import { fileStep, recordSteps } from "../undo/undo-steps.ts";
import { type Place, placeFiles } from "./place-files.ts";

export async function changeFile(tx: Tx, input: FileChange): Promise<ChangedFile> {
  const { file, folder } = await lockFile(tx, input);
  const { name: wanted = file.name, visibility = file.visibility } = input;
  if (wanted !== file.name) rejectC1(wanted);
  const moves = wanted !== file.name || folder.id !== file.folderId;
  const metadata = newMetadata(file, input);
  const expiresAt = newEnd(tx, file, input);
  const isSame =
    visibility === file.visibility && metadata === file.metadata && expiresAt === file.expiresAt;
  if (!moves && isSame) return file;
  const placed = moves
    ? await placeFile(tx, folder, { file, name: wanted }, input)
    : { place: file, undoId: undefined };
  if (placed === undefined) return file;
  const { name, key } = placed.place;
  const isMoved = key !== file.key;
  if (!isMoved && isSame) return file;
  const mimeType = mediaTypeAfterRename(file.name, name, file.mimeType);
  const updatedAt = tx.now;
  const modifiedAt = needsNewValidators(file.metadata, metadata)
    ? Math.max(tx.now, file.modifiedAt + 1)
    : file.modifiedAt;
  const isRead = mimeType === file.mimeType && hasSameCoding(file.metadata, metadata);
  const charset = isRead ? file.charset : withoutFound(file.charset);
  await tx.db
    .updateTable("files")
    .set({
      folder_id: folder.id,
      ...nameColumns(name),
      mime_type: mimeType,
      visibility,
      meta: metadata,
      charset,
      modified_at: modifiedAt,
      updated_at: updatedAt,
      expires_at: expiresAt,
    })
    .where("id", "=", file.id)
    .execute();
  tx.usage.moveFiles({ ids: [file.id], from: topOfChild(file.key), to: topOfChild(key) });
  const place = { folderId: folder.id, name, key, mimeType };
  const times = { modifiedAt, updatedAt, expiresAt };
  const changed = { ...file, ...place, visibility, metadata, charset, ...times };
  await recordSteps(tx, [fileStep(file, changed)]);
  await recordChanges(tx, [
    isMoved
      ? { kind: "file.moved", file: changed, fromKey: file.key }
      : { kind: "file.updated", file: changed },
  ]);
  return placed.undoId === undefined ? changed : { ...changed, undoId: placed.undoId };
}

const hasSameCoding = (one: MetadataText | null, other: MetadataText | null): boolean =>
  readMetadata(one).contentEncoding === readMetadata(other).contentEncoding;

/** undefined: it is skipped. Fault: it may not go there. */
async function placeFile(
  tx: Tx,
  folder: FolderRecord,
  arrival: { readonly file: FileRecord; readonly name: Name },
  input: FileChange,
): Promise<{ place: Place; undoId: string | undefined } | undefined> {
  const { places, undoId } = await placeFiles(tx, folder, [arrival], input);
  const place = places.get(arrival.file.id);
  if (place === undefined || place === "skipped") return undefined;
  if ("fault" in place) throw place.fault;
  return { place, undoId };
}

function newMetadata({ metadata }: FileRecord, input: FileChange): MetadataText | null {
  if (input.metadata === undefined) return metadata;
  return input.metadata === null ? null : changeMetadata(metadata, input.metadata);
}

/** When the file ends after the change. */
export const newEnd = (
  tx: Tx,
  { expiresAt }: FileRecord,
  { lifetime }: Pick<FileChange, "lifetime">,
): Millis | null => (lifetime === undefined ? expiresAt : endOf(lifetime, tx.now));

/** Locks the file, its folder and the folder to move it to. */
export async function lockFile(
  tx: Tx,
  { id: ref, folderId: targetRef }: Pick<FileChange, "id" | "folderId">,
): Promise<{ file: FileRecord; folder: FolderRecord }> {
  const [id] = await fileIdsOf(tx, [ref]);
  const seen = await findFile(tx, id);
  const target = targetRef === undefined ? undefined : await folderIdOf(tx, targetRef);
  if (targetRef !== undefined && target === undefined) throw noTarget();
  const { folderId } = seen;
  const folders = await lockFolders(tx, [folderId, target ?? folderId]);
  await lockFiles(tx, [seen.id]);
  const file = await findFile(tx, id);
  // Another transaction may have moved it before its folder was locked.
  if (file.folderId !== folderId || file.key !== seen.key) throw new RetryTransaction();
  if (!(await areWithin(tx, [folderId]))) throw noSuchFile();
  const folder = folders.get(target ?? folderId);
  if (folder === undefined || !(await areWithin(tx, [folder.id]))) throw noTarget();
  return { file, folder };
}

async function findFile(tx: Tx, id: string | undefined): Promise<FileRecord> {
  if (id === undefined) throw noSuchFile();
  const file = await selectFiles(tx.db).where("files.id", "=", id).executeTakeFirst();
  if (file === undefined) throw noSuchFile();
  return file;
}

const noSuchFile = (): Fault => new Fault("not_found", "No such file.");
