import { blockOf } from "../../rules/blob-id.ts";
import { Fault } from "../../rules/fault.ts";
import { childKey } from "../../rules/name.ts";
import type { FileRecord, NewFile } from "../../rules/records.ts";
import { newId } from "../ids.ts";
import { pieces } from "../pieces.ts";
import type { NewFiles } from "../port.ts";
import type { Tx } from "../tx.ts";
import { ensureFolder } from "./folder-path.ts";
import { replaceContent } from "./replace-content.ts";
import { type Settled, settleNames } from "./settle-names.ts";

export async function addFiles(tx: Tx, input: NewFiles): Promise<FileRecord[]> {
  const { files, visibility, owner, onConflict = "refuse" } = input;
  await holdLeases(tx, owner, files);
  const { folder, created } = await ensureFolder(tx, input.folder);
  rejectDuplicateNames(files);
  const settled: Settled = created
    ? { added: files, replacing: [] }
    : await settleNames(tx, folder, files, onConflict);
  const records = settled.added.map(
    ({ name, mimeType, size, blobId, checksum }): FileRecord => ({
      id: newId(tx.now),
      folderId: folder.id,
      name,
      key: childKey(folder.key, name),
      mimeType,
      size,
      visibility,
      blobId,
      checksum,
      modifiedAt: tx.now,
      createdAt: tx.now,
      updatedAt: tx.now,
    }),
  );
  for (const piece of pieces(records)) {
    await tx.db.insertInto("files").values(piece.map(toRow)).execute();
  }
  if (settled.replacing.length === 0) return records;
  const replaced = await replaceContent(tx, folder, settled.replacing, input.replacedVisibility);
  const byBlob = new Map([...records, ...replaced].map((file) => [file.blobId, file]));
  return files.flatMap(({ blobId }) => byBlob.get(blobId) ?? []);
}

/** Once a lease has lapsed, its blobs may be swept at any moment: no file may refer to them. */
async function holdLeases(tx: Tx, owner: string, files: readonly NewFile[]): Promise<void> {
  const blocks = [...new Set(files.map(({ blobId }) => blockOf(blobId)))];
  for (const piece of pieces(blocks)) {
    const held = await tx.db
      .selectFrom("blob_leases")
      .select("block")
      .where("block", "in", piece)
      .where("owner", "=", owner)
      // Kept from being taken, not from being kept alive.
      .$if(tx.rowLocks, (query) => query.forKeyShare())
      .execute();
    if (held.length < piece.length) {
      throw new Fault(
        "unavailable",
        "The upload took too long to be kept alive, and its bytes may be gone. Please try again.",
      );
    }
  }
}

function rejectDuplicateNames(files: readonly NewFile[]): void {
  const names = new Set<string>();
  for (const { name } of files) {
    if (names.has(name)) throw new Fault("conflict", `The name "${name}" is given twice.`);
    names.add(name);
  }
}

function toRow(record: FileRecord) {
  return {
    id: record.id,
    folder_id: record.folderId,
    name: record.name,
    mime_type: record.mimeType,
    size: record.size,
    visibility: record.visibility,
    blob_id: record.blobId,
    checksum: record.checksum,
    modified_at: record.modifiedAt,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
