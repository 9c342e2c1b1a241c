import { blockOf } from "../../rules/blob-id.ts";
import { Fault } from "../../rules/fault.ts";
import { childKey } from "../../rules/name.ts";
import type { FileRecord, FolderRecord, NewFile } from "../../rules/records.ts";
import type { TreeChange } from "../../rules/tree-change.ts";
import { evenChunks, paddedChunks } from "../chunks.ts";
import { newId } from "../ids.ts";
import type { NewFiles } from "../port/file-tree.ts";
import { preparedForItems } from "../prepared-statement.ts";
import type { FilesTable } from "../schema.ts";
import type { Tx } from "../tx.ts";
import { ensureFolder } from "./folder-path.ts";
import { recordChanges } from "./record-changes.ts";
import { replaceContent } from "./replace-content.ts";
import { type ResolvedFiles, resolveConflicts } from "./resolve-conflicts.ts";

export async function addFiles(tx: Tx, input: NewFiles): Promise<FileRecord[]> {
  const { files, visibility, metadata, owner, onConflict = "refuse" } = input;
  await requireLeases(tx, owner, files);
  const { folder, created } = await ensureFolder(tx, input.folder, input.within);
  const isNew = created.length > 0;
  rejectDuplicateNames(files);
  const resolved: ResolvedFiles = isNew
    ? { added: files, replacing: [] }
    : await resolveConflicts(tx, folder, files, onConflict);
  const records = resolved.added.map((file) =>
    newRecord(tx, folder, file, { visibility, metadata: metadata ?? null }),
  );
  for (const items of evenChunks(records.map(toRow))) {
    await tx.all(insertFiles(items.length), { items, shared: {} });
  }
  const changes: TreeChange[] = [
    ...created.map((each): TreeChange => ({ kind: "folder.created", folder: each })),
    ...records.map((file): TreeChange => ({ kind: "file.created", file })),
  ];
  if (resolved.replacing.length === 0) {
    await recordChanges(tx, changes);
    return records;
  }
  const replaced = await replaceContent(tx, folder, resolved.replacing, {
    visibility: input.replacedVisibility,
    metadata,
  });
  changes.push(...replaced.map((file): TreeChange => ({ kind: "file.replaced", file })));
  await recordChanges(tx, changes);
  const byBlob = new Map([...records, ...replaced].map((file) => [file.blobId, file]));
  return files.flatMap(({ blobId }) => byBlob.get(blobId) ?? []);
}

/**
 * Fault "unavailable": the owner has lost the lease of a blob's block. Orphans of such a block may
 * be swept at any moment, so no file may refer to them.
 */
async function requireLeases(tx: Tx, owner: string, files: readonly NewFile[]): Promise<void> {
  const blocks = [...new Set(files.map(({ blobId }) => blockOf(blobId)))];
  let leased = 0;
  for (const chunk of paddedChunks(blocks)) {
    const items = chunk.map((block) => ({ block }));
    leased += (await tx.all(lockLeases(items.length), { items, shared: { owner } })).length;
  }
  if (leased === blocks.length) return;
  throw new Fault(
    "unavailable",
    "The upload took too long to be kept alive, and its bytes may be gone. Please try again.",
  );
}

/** The lease cannot be released before the transaction ends, but it can be renewed. */
const lockLeases = preparedForItems<{ block: number }, { owner: string }, { block: number }>(
  (db, blocks, param) =>
    db
      .selectFrom("blob_leases")
      .select("block")
      .where(
        "block",
        "in",
        blocks.map((each) => each("block")),
      )
      .where("owner", "=", param("owner"))
      .forKeyShare(),
);

function rejectDuplicateNames(files: readonly NewFile[]): void {
  const names = new Set<string>();
  for (const { name } of files) {
    if (names.has(name)) throw new Fault("conflict", `The name "${name}" is given twice.`);
    names.add(name);
  }
}

function newRecord(
  tx: Tx,
  folder: FolderRecord,
  { name, mimeType, size, blobId, checksum, sha256 }: NewFile,
  { visibility, metadata }: Pick<FileRecord, "visibility" | "metadata">,
): FileRecord {
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
    modifiedAt: tx.now,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
}

function toRow(record: FileRecord): FilesTable {
  return {
    id: record.id,
    folder_id: record.folderId,
    name: record.name,
    mime_type: record.mimeType,
    size: record.size,
    visibility: record.visibility,
    blob_id: record.blobId,
    checksum: record.checksum,
    sha256: record.sha256,
    meta: record.metadata,
    modified_at: record.modifiedAt,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

const insertFiles = preparedForItems<FilesTable, Record<never, never>, unknown>((db, files) =>
  db.insertInto("files").values(
    files.map((file) => ({
      id: file("id"),
      folder_id: file("folder_id"),
      name: file("name"),
      mime_type: file("mime_type"),
      size: file("size"),
      visibility: file("visibility"),
      blob_id: file("blob_id"),
      checksum: file("checksum"),
      sha256: file("sha256"),
      meta: file("meta"),
      modified_at: file("modified_at"),
      created_at: file("created_at"),
      updated_at: file("updated_at"),
    })),
  ),
);
