import type { FileRecord, FolderRecord, NewFile, Visibility } from "../../rules/records.ts";
import { pieces } from "../pieces.ts";
import { selectFiles } from "../select-records.ts";
import type { Tx } from "../tx.ts";

/**
 * Gives files of a folder new content by their names; the old blobs are condemned. Without a
 * visibility each keeps its own.
 */
export async function replaceContent(
  tx: Tx,
  folder: FolderRecord,
  files: readonly NewFile[],
  visibility: Visibility | undefined,
): Promise<FileRecord[]> {
  const replaced: FileRecord[] = [];
  for (const piece of pieces(files)) {
    const contents = new Map(piece.map((file) => [file.name, file]));
    const olds = await selectFiles(tx.db)
      .where("files.folder_id", "=", folder.id)
      .where("files.name", "in", [...contents.keys()])
      .execute();
    for (const old of olds) {
      const content = contents.get(old.name);
      if (content === undefined) continue;
      const file: FileRecord = {
        ...old,
        ...content,
        visibility: visibility ?? old.visibility,
        // Validators tell contents apart by this moment: it must be another one.
        modifiedAt: Math.max(tx.now, old.modifiedAt + 1),
        updatedAt: tx.now,
      };
      await tx.db
        .updateTable("files")
        .set({
          mime_type: file.mimeType,
          size: file.size,
          visibility: file.visibility,
          blob_id: file.blobId,
          checksum: file.checksum,
          modified_at: file.modifiedAt,
          updated_at: file.updatedAt,
        })
        .where("id", "=", old.id)
        .execute();
      replaced.push(file);
    }
    if (olds.length === 0) continue;
    await tx.db
      .insertInto("condemned")
      .values(olds.map(({ blobId }) => ({ blob_id: blobId, condemned_at: tx.now })))
      .execute();
  }
  return replaced;
}
