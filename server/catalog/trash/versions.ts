import { Fault } from "../../domain/faults/fault.ts";
import type { BlobId, FileRecord } from "../../domain/records.ts";
import type { VersionRecord } from "../../domain/trash.ts";
import { metadataOfRestoredContent } from "../../semantics/file-metadata.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { chunks, evenChunks, paddedChunks } from "../engine/chunks.ts";
import { newId } from "../engine/ids.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockFilesInPlace } from "../folders/lock-files-in-place.ts";
import { type Amount, sum } from "../quotas/usage.ts";
import { areWithin } from "../records/are-within.ts";
import { selectFiles } from "../records/select-records.ts";
import { toVersion } from "../records/select-versions.ts";
import type { VersionsTable } from "../tables/tree.ts";
import { updateContents } from "../tree/update-files.ts";
import { recordSteps } from "../undo/undo-steps.ts";

/** A file with its content before, and the blob of the new one. `restores`: the version that the new one was. */
export interface Replaced {
  readonly file: FileRecord;
  readonly blobId: BlobId;
  readonly restores?: string;
}

/** Keeps the contents of locked files, which are about to be replaced, as versions. */
export async function keepVersions(
  tx: Tx,
  replaced: readonly Replaced[],
  keepMs: number,
): Promise<void> {
  const actor = JSON.stringify(tx.actor);
  const kept = replaced.map((each) => ({ version: newId(tx.now), ...each }));
  const rows = kept.map(
    ({ version, file }): VersionsTable => ({
      id: version,
      file_id: file.id,
      blob_id: file.blobId,
      size: file.size,
      mime_type: file.mimeType,
      checksum: file.checksum,
      sha256: file.sha256,
      meta: file.metadata,
      s3: file.s3,
      charset: file.charset,
      modified_at: file.modifiedAt,
      replaced_at: tx.now,
      expires_at: tx.now + keepMs,
      actor,
    }),
  );
  for (const items of evenChunks(rows)) {
    await tx.all(insertVersions(items.length), { items, shared: {} });
  }
  await recordSteps(
    tx,
    kept.map(({ version, file: { id }, blobId, restores }) => ({
      kind: "content",
      id,
      version,
      blobId,
      restores,
    })),
  );
}

/**
 * Condemns all versions of files whose records are removed in the same transaction. Returns what each file had of
 * them, if any.
 */
export async function removeVersionsOf(
  tx: Tx,
  fileIds: readonly string[],
): Promise<ReadonlyMap<string, Amount>> {
  const removed = new Map<string, Amount>();
  for (const chunk of paddedChunks(fileIds)) {
    const items = chunk.map((fileId) => ({ fileId }));
    const rows = await tx.all(deleteOf(items.length), { items, shared: {} });
    await condemnBlobs(
      tx,
      rows.map(({ blob_id }) => blob_id),
    );
    for (const { file_id, size } of rows) {
      removed.set(file_id, sum(removed.get(file_id), { bytes: size, files: 1 }));
    }
  }
  return removed;
}

export async function removeVersions(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const { removable } = await lockVersions(tx, ids);
  const removed = new Set(await deleteVersions(tx, removable));
  return [...new Set(ids)].filter((id) => removed.has(id));
}

/** Condemns their blobs. Returns the ids of those that existed. */
export async function deleteVersions(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const removed: string[] = [];
  for (const chunk of chunks(ids)) {
    const rows = await tx.db
      .deleteFrom("versions")
      .where("id", "in", chunk)
      .returning(["id", "blob_id", "file_id", "size"])
      .execute();
    await condemnBlobs(
      tx,
      rows.map(({ blob_id }) => blob_id),
    );
    for (const { file_id, size } of rows) tx.usage.addToFile(file_id, { bytes: -size, files: -1 });
    removed.push(...rows.map(({ id }) => id));
  }
  return removed;
}

export async function restoreVersion(
  tx: Tx,
  { id, keepMs }: { id: string; keepMs: number },
): Promise<FileRecord> {
  const [restored] = await restoreVersions(tx, { ids: [id], keepMs });
  if (restored === undefined) throw new Fault("not_found", "Version not found.");
  return restored;
}

/** Restores one version each of some files. Returns the files whose versions existed. */
export async function restoreVersions(
  tx: Tx,
  { ids, keepMs }: { readonly ids: readonly string[]; readonly keepMs: number },
): Promise<FileRecord[]> {
  const { files, removable } = await lockVersions(tx, ids);
  const rows: VersionsTable[] = [];
  // Other transactions may have restored or removed some before their files were locked.
  for (const chunk of chunks(removable)) {
    const removed = tx.db.deleteFrom("versions").where("id", "in", chunk).returningAll();
    rows.push(...(await removed.execute()));
  }
  const replaced: Replaced[] = [];
  const restored: FileRecord[] = [];
  for (const row of rows) {
    const file = files.get(row.file_id);
    if (file === undefined) continue;
    replaced.push({ file, blobId: row.blob_id, restores: row.id });
    restored.push(withVersion(tx, file, toVersion(row)));
  }
  await updateContents(tx, restored);
  await keepVersions(tx, replaced, keepMs);
  await recordChanges(
    tx,
    restored.map((file) => ({ kind: "file.replaced", file })),
  );
  return restored;
}

const withVersion = (tx: Tx, file: FileRecord, version: VersionRecord): FileRecord => ({
  ...file,
  mimeType: version.mimeType,
  size: version.size,
  blobId: version.blobId,
  checksum: version.checksum,
  sha256: version.sha256,
  metadata: metadataOfRestoredContent(file.metadata, version.metadata),
  s3: version.s3,
  charset: version.charset,
  // Validators tell contents apart by this time, so it must be another one.
  modifiedAt: Math.max(tx.now, file.modifiedAt + 1),
  updatedAt: tx.now,
});

/** Locks the files of versions. Returns them by id, and the versions whose files are in the tree and within the limit. */
async function lockVersions(tx: Tx, ids: readonly string[]) {
  const versions: { id: string; fileId: string }[] = [];
  for (const chunk of chunks(ids)) {
    const rows = tx.db.selectFrom("versions").select(["id", "file_id as fileId"]);
    versions.push(...(await rows.where("id", "in", chunk).execute()));
  }
  const files = await lockLiveFiles(
    tx,
    versions.map(({ fileId }) => fileId),
  );
  const removable = versions.flatMap(({ id, fileId }) => (files.has(fileId) ? [id] : []));
  return { files, removable };
}

/** Locks files in their places, and returns those that are in the tree and within the limit, by id. */
async function lockLiveFiles(tx: Tx, ids: readonly string[]): Promise<Map<string, FileRecord>> {
  const places = await lockFilesInPlace(tx, [...new Set(ids)]);
  const files = new Map<string, FileRecord>();
  for (const chunk of chunks([...places.keys()])) {
    for (const file of await selectFiles(tx.db).where("files.id", "in", chunk).execute()) {
      if (places.get(file.id) !== file.key) throw new RetryTransaction();
      if (await areWithin(tx, [file.folderId])) files.set(file.id, file);
    }
  }
  return files;
}

const deleteOf = preparedForItems<
  { fileId: string },
  Record<never, never>,
  Pick<VersionsTable, "blob_id" | "file_id" | "size">
>((db, items) =>
  db
    .deleteFrom("versions")
    .where(
      "file_id",
      "in",
      items.map((item) => item("fileId")),
    )
    .returning(["blob_id", "file_id", "size"]),
);

const insertVersions = preparedForItems<VersionsTable, Record<never, never>, unknown>((db, rows) =>
  db.insertInto("versions").values(
    rows.map((row) => ({
      id: row("id"),
      file_id: row("file_id"),
      blob_id: row("blob_id"),
      size: row("size"),
      mime_type: row("mime_type"),
      checksum: row("checksum"),
      sha256: row("sha256"),
      meta: row("meta"),
      s3: row("s3"),
      charset: row("charset"),
      modified_at: row("modified_at"),
      replaced_at: row("replaced_at"),
      expires_at: row("expires_at"),
      actor: row("actor"),
    })),
  ),
);
