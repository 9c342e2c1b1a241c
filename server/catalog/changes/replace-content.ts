import { metadataOfNewContent } from "../../rules/file-metadata.ts";
import type { FileRecord, FolderRecord, Name } from "../../rules/records.ts";
import { paddedChunks } from "../chunks.ts";
import { type Param, prepared, preparedForItems } from "../prepared-statement.ts";
import { selectFiles } from "../queries/select-records.ts";
import type { FilesTable } from "../schema.ts";
import type { Tx } from "../tx.ts";
import { condemnBlobs } from "./condemn-blobs.ts";
import type { FileToStore } from "./file-to-store.ts";

/** Gives the files of a folder with these names new content; the old blobs are condemned. */
export async function replaceContent(
  tx: Tx,
  folder: FolderRecord,
  files: readonly FileToStore[],
): Promise<FileRecord[]> {
  const contents = new Map(files.map((file) => [file.name, file]));
  const replaced: FileRecord[] = [];
  for (const chunk of paddedChunks(files)) {
    const items = chunk.map(({ name }) => ({ name }));
    const olds = await tx.all(selectNamed(items.length), {
      items,
      shared: { folderId: folder.id },
    });
    for (const old of olds) {
      const content = contents.get(old.name);
      if (content !== undefined) replaced.push(await replace(tx, old, content));
    }
    await condemnBlobs(
      tx,
      olds.map(({ blobId }) => blobId),
    );
  }
  return replaced;
}

async function replace(
  tx: Tx,
  old: FileRecord,
  { replacedVisibility, metadata, ...content }: FileToStore,
): Promise<FileRecord> {
  const file: FileRecord = {
    ...old,
    ...content,
    visibility: replacedVisibility ?? old.visibility,
    metadata: metadata === undefined ? metadataOfNewContent(old.metadata) : metadata,
    // Validators tell contents apart by this time, so it must change.
    modifiedAt: Math.max(tx.now, old.modifiedAt + 1),
    updatedAt: tx.now,
  };
  await tx.all(updateContent, {
    id: file.id,
    mime_type: file.mimeType,
    size: file.size,
    visibility: file.visibility,
    blob_id: file.blobId,
    checksum: file.checksum,
    sha256: file.sha256,
    meta: file.metadata,
    modified_at: file.modifiedAt,
    updated_at: file.updatedAt,
  });
  return file;
}

const selectNamed = preparedForItems<{ name: Name }, { folderId: string }, FileRecord>(
  (db, items, param) =>
    selectFiles(db)
      .where("files.folder_id", "=", param("folderId"))
      .where(
        "files.name",
        "in",
        items.map((item) => item("name")),
      ),
);

type Content = Omit<FilesTable, "folder_id" | "name" | "created_at">;

const updateContent = prepared((db, param: Param<Content>) =>
  db
    .updateTable("files")
    .set({
      mime_type: param("mime_type"),
      size: param("size"),
      visibility: param("visibility"),
      blob_id: param("blob_id"),
      checksum: param("checksum"),
      sha256: param("sha256"),
      meta: param("meta"),
      modified_at: param("modified_at"),
      updated_at: param("updated_at"),
    })
    .where("id", "=", param("id")),
);
