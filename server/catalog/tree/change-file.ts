import { withoutFound } from "../../../contract/text/charset.ts";
import type { Ref } from "../../domain/callers/ref.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { endOf, type Lifetime } from "../../domain/lifetime.ts";
import { mediaTypeAfterRename } from "../../domain/media.ts";
import { rejectC1 } from "../../domain/names/name.ts";
import type {
  FileRecord,
  FolderRecord,
  MetadataText,
  Millis,
  Name,
  Visibility,
} from "../../domain/records.ts";
import {
  changeMetadata,
  type MetadataPatch,
  needsNewValidators,
  readMetadata,
} from "../../semantics/file-metadata.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockFiles } from "../folders/file-locks.ts";
import { lockFolders } from "../folders/folder-locks.ts";
import { noTarget } from "../folders/folder-path.ts";
import type { ChangedFile, FileChange } from "../port/file-tree.ts";
import { topOfChild } from "../quotas/usage.ts";
import { areWithin } from "../records/are-within.ts";
import { fileIdsOf, folderIdOf, isRenamed, leadElsewhere } from "../records/resolve-refs.ts";
import { selectFiles } from "../records/select-records.ts";
import { fileStep, recordSteps } from "../undo/undo-steps.ts";
import { type Place, placeFiles } from "./place-files.ts";
import { updateProperties } from "./update-files.ts";

export async function changeFile(tx: Tx, input: FileChange): Promise<ChangedFile> {
  const { file, folder } = await lockFile(tx, input);
  const { name: wanted = file.name } = input;
  if (wanted !== file.name) rejectC1(wanted);
  const moves = wanted !== file.name || folder.id !== file.folderId;
  const unmoved = withProperties(tx, file, { ...input, folderId: file.folderId, place: file });
  if (!moves && unmoved === file) return file;
  const placed = moves
    ? await placeFile(tx, folder, { file, name: wanted }, input)
    : { place: file, undoId: undefined };
  if (placed === undefined) return file;
  const { place, undoId } = placed;
  const changed = withProperties(tx, file, { ...input, folderId: folder.id, place });
  if (changed === file) return file;
  await updateProperties(tx, [changed]);
  await recordPropertyChanges(tx, [{ before: file, after: changed }]);
  return undoId === undefined ? changed : { ...changed, undoId };
}

interface NewProperties {
  readonly folderId: string;
  readonly place: Place;
  readonly visibility?: Visibility | undefined;
  readonly metadata?: MetadataPatch | null | undefined;
  readonly lifetime?: Lifetime | undefined;
}

/** The file after a change. The same object: nothing changes. Fault "invalid": its metadata would become too long. */
export function withProperties(tx: Tx, file: FileRecord, input: NewProperties): FileRecord {
  const { folderId, place, visibility = file.visibility } = input;
  const { name, key } = place;
  const metadata = newMetadata(file, input);
  const expiresAt = newEnd(tx, file, input);
  const isSame =
    visibility === file.visibility && metadata === file.metadata && expiresAt === file.expiresAt;
  if (key === file.key && isSame) return file;
  const mimeType = mediaTypeAfterRename(file.name, name, file.mimeType);
  const modifiedAt = needsNewValidators(file.metadata, metadata)
    ? Math.max(tx.now, file.modifiedAt + 1)
    : file.modifiedAt;
  const isRead = mimeType === file.mimeType && hasSameCoding(file.metadata, metadata);
  const charset = isRead ? file.charset : withoutFound(file.charset);
  const changed = { ...file, folderId, name, key, mimeType, visibility, metadata, charset };
  return { ...changed, modifiedAt, updatedAt: tx.now, expiresAt };
}

/** Charges changes of places and properties, and keeps them for the feed and for an undo. */
export async function recordPropertyChanges(
  tx: Tx,
  files: readonly { readonly before: FileRecord; readonly after: FileRecord }[],
): Promise<void> {
  for (const { before, after } of files) {
    const [from, to] = [topOfChild(before.key), topOfChild(after.key)];
    tx.usage.moveFiles({ ids: [before.id], from, to });
  }
  await recordSteps(
    tx,
    files.map(({ before, after }) => fileStep(before, after)),
  );
  await recordChanges(
    tx,
    files.map(({ before, after }) =>
      after.key === before.key
        ? { kind: "file.updated", file: after }
        : { kind: "file.moved", file: after, fromKey: before.key },
    ),
  );
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

function newMetadata(
  { metadata }: FileRecord,
  input: Pick<NewProperties, "metadata">,
): MetadataText | null {
  if (input.metadata === undefined) return metadata;
  return input.metadata === null ? null : changeMetadata(metadata, input.metadata);
}

/** When the file ends after the change. */
export const newEnd = (
  tx: Tx,
  { expiresAt }: FileRecord,
  { lifetime }: Pick<NewProperties, "lifetime">,
): Millis | null => (lifetime === undefined ? expiresAt : endOf(lifetime, tx.now));

/** Locks the file, its folder and the folder to move it to. */
export async function lockFile(
  tx: Tx,
  { id: ref, folderId: targetRef }: Pick<FileChange, "id" | "folderId">,
): Promise<{ file: FileRecord; folder: FolderRecord }> {
  const [id] = await fileIdsOf(tx, [ref]);
  const seen = await findFile(tx, ref, id);
  const target = targetRef === undefined ? undefined : await folderIdOf(tx, targetRef);
  if (targetRef !== undefined && target === undefined) throw noTarget();
  const { folderId } = seen;
  const folders = await lockFolders(tx, [folderId, target ?? folderId]);
  await lockFiles(tx, [seen.id]);
  const file = await findFile(tx, ref, id);
  // Another transaction may have moved it before its folder was locked.
  if (file.folderId !== folderId || file.key !== seen.key) throw new RetryTransaction();
  if (isRenamed(ref, file)) throw new RetryTransaction();
  if (!(await areWithin(tx, [folderId]))) throw noSuchFile();
  const folder = folders.get(target ?? folderId);
  if (folder === undefined || !(await areWithin(tx, [folder.id]))) throw noTarget();
  if (targetRef !== undefined && isRenamed(targetRef, folder)) throw new RetryTransaction();
  return { file, folder };
}

/** The file that the reference led to. */
async function findFile(tx: Tx, ref: Ref, id: string | undefined): Promise<FileRecord> {
  if (id === undefined) throw noSuchFile();
  const file = await selectFiles(tx.db).where("files.id", "=", id).executeTakeFirst();
  if (file !== undefined) return file;
  throw (await leadElsewhere(tx, [ref], [id])) ? new RetryTransaction() : noSuchFile();
}

export const noSuchFile = (): Fault => new Fault("not_found", "No such file.");
