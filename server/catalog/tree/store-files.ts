import type { Selectable } from "kysely";
import { Fault } from "../../domain/faults/fault.ts";
import { endOf } from "../../domain/lifetime.ts";
import { childKey, rejectC1 } from "../../domain/names/name.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import type { FileRecord, FolderRecord } from "../../domain/records.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import { evenChunks } from "../engine/chunks.ts";
import { newId } from "../engine/ids.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import { lockFilesNamed } from "../folders/file-locks.ts";
import type { KeepsReplaced } from "../port/keeps-replaced.ts";
import { contentsOf, topOfFolder } from "../quotas/usage.ts";
import { nameColumns } from "../records/name-columns.ts";
import type { FilesTable } from "../tables/tree.ts";
import type { FileToStore } from "./file-to-store.ts";
import { lifetimeIn } from "./folder-defaults.ts";
import { replaceContent } from "./replace-content.ts";
import { resolveConflicts } from "./resolve-conflicts.ts";

/** Files for a locked folder. */
export interface Destination {
  readonly folder: FolderRecord;
  /** Whether it is known that nothing in it has one of the names, as in a new folder. */
  readonly namesAreFree: boolean;
  readonly files: readonly FileToStore[];
}

/** In the order given; what `onConflict` skipped is in neither list. */
export interface StoredFiles {
  readonly added: FileRecord[];
  readonly replaced: FileRecord[];
}

export interface StoreOptions extends KeepsReplaced {
  readonly onConflict: OnConflict;
}

/**
 * Gives the files records, in one folder or several. Replaced contents are kept as versions, or their
 * blobs are condemned. Fault
 * "conflict": a name is taken and `onConflict` does not allow it, or is given twice in a folder.
 */
export async function storeFiles(
  tx: Tx,
  destinations: readonly Destination[],
  { onConflict, ...keeps }: StoreOptions,
): Promise<StoredFiles> {
  for (const { files } of destinations) rejectDuplicateNames(files);
  if (onConflict === "replace") {
    await lockFilesNamed(
      tx,
      destinations
        .filter(({ namesAreFree }) => !namesAreFree)
        .map(({ folder, files }) => ({
          folderId: folder.id,
          names: files.map(({ name }) => name),
        })),
    );
  }
  const added: FileRecord[] = [];
  const replacing: Omit<Destination, "namesAreFree">[] = [];
  for (const { folder, namesAreFree, files } of destinations) {
    const resolved = namesAreFree
      ? { added: files, replacing: [] }
      : await resolveConflicts(tx, folder, files, onConflict);
    added.push(...resolved.added.map((file) => newRecord(tx, folder, file)));
    tx.usage.add(topOfFolder(folder.key), contentsOf(resolved.added));
    if (resolved.replacing.length > 0) replacing.push({ folder, files: resolved.replacing });
  }
  for (const items of evenChunks(added.map(toRow))) {
    await tx.all(insertFiles(items.length), { items, shared: {} });
  }
  return { added, replaced: await replaceContent(tx, replacing, keeps) };
}

/** The entries of the change feed. */
export const changesOf = (
  folders: readonly FolderRecord[],
  { added, replaced }: StoredFiles,
): TreeChange[] => [
  ...folders.map((folder): TreeChange => ({ kind: "folder.created", folder })),
  ...added.map((file): TreeChange => ({ kind: "file.created", file })),
  ...replaced.map((file): TreeChange => ({ kind: "file.replaced", file })),
];

/** Fault "conflict". */
export function rejectDuplicateNames(files: readonly Pick<FileToStore, "name">[]): void {
  const names = new Set<string>();
  for (const { name } of files) {
    if (names.has(name)) {
      throw new Fault("conflict", `The name "${name}" is given twice.`, {
        code: "name_taken",
        details: { name },
      });
    }
    names.add(name);
  }
}

function newRecord(
  tx: Tx,
  folder: FolderRecord,
  {
    name,
    mimeType,
    size,
    visibility,
    blobId,
    checksum,
    sha256,
    metadata = null,
    s3 = null,
    charset = null,
    lifetime = lifetimeIn(folder),
  }: FileToStore,
): FileRecord {
  rejectC1(name);
  return {
    id: newId(tx.now),
    folderId: folder.id,
    name,
    key: childKey(folder.key, name),
    mimeType,
    size,
    visibility,
    blobId,
    checksum,
    sha256,
    metadata,
    s3,
    charset,
    modifiedAt: tx.now,
    createdAt: tx.now,
    updatedAt: tx.now,
    expiresAt: lifetime === undefined ? null : endOf(lifetime, tx.now),
  };
}

type Row = Omit<Selectable<FilesTable>, "kept_public">;

function toRow(record: FileRecord): Row {
  return {
    id: record.id,
    folder_id: record.folderId,
    ...nameColumns(record.name),
    mime_type: record.mimeType,
    size: record.size,
    visibility: record.visibility,
    blob_id: record.blobId,
    checksum: record.checksum,
    sha256: record.sha256,
    meta: record.metadata,
    s3: record.s3,
    charset: record.charset,
    modified_at: record.modifiedAt,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    expires_at: record.expiresAt,
  };
}

const insertFiles = preparedForItems<Row, Record<never, never>, unknown>((db, files) =>
  db.insertInto("files").values(
    files.map((file) => ({
      id: file("id"),
      folder_id: file("folder_id"),
      name: file("name"),
      natural_name: file("natural_name"),
      mime_type: file("mime_type"),
      size: file("size"),
      visibility: file("visibility"),
      blob_id: file("blob_id"),
      checksum: file("checksum"),
      sha256: file("sha256"),
      meta: file("meta"),
      s3: file("s3"),
      charset: file("charset"),
      modified_at: file("modified_at"),
      created_at: file("created_at"),
      updated_at: file("updated_at"),
      expires_at: file("expires_at"),
    })),
  ),
);
