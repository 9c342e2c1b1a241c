import { blockOf } from "../../rules/blob-id.ts";
import { Fault } from "../../rules/fault.ts";
import { childKey } from "../../rules/name.ts";
import type { FileRecord, FolderRecord, Key, NewFile, Visibility } from "../../rules/records.ts";
import { newId } from "../ids.ts";
import { pieces } from "../pieces.ts";
import { nameTaken, takenNames } from "../taken-names.ts";
import type { Tx } from "../tx.ts";
import { ensureFolder } from "./folder-path.ts";

export async function addFiles(
  tx: Tx,
  input: { folder: Key; files: readonly NewFile[]; visibility: Visibility; owner: string },
): Promise<FileRecord[]> {
  const { files, visibility, owner } = input;
  await holdLeases(tx, owner, files);
  const { folder, created } = await ensureFolder(tx, input.folder);
  refuseTwins(files);
  if (!created) await refuseTaken(tx, folder, files);
  const records = files.map(
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
  return records;
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
      .$if(tx.rowLocks, (query) => query.forUpdate())
      .execute();
    if (held.length < piece.length) {
      throw new Fault(
        "unavailable",
        "The upload took too long to be kept alive, and its bytes may be gone. Please try again.",
      );
    }
  }
}

function refuseTwins(files: readonly NewFile[]): void {
  const names = new Set<string>();
  for (const { name } of files) {
    if (names.has(name)) throw new Fault("conflict", `The name "${name}" is given twice.`);
    names.add(name);
  }
}

async function refuseTaken(tx: Tx, folder: FolderRecord, files: readonly NewFile[]): Promise<void> {
  const names = files.map(({ name }) => name);
  const taken = await takenNames(tx.db, folder.id, names);
  for (const name of names) {
    const holder = taken.get(name);
    if (holder !== undefined) throw nameTaken(holder, name);
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
