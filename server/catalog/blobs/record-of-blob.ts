import type { Kysely } from "kysely";
import type { BlobId, FileRecord, Key } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import { trashedPlace } from "../records/outside-tree.ts";
import { selectKeptFiles } from "../records/select-records.ts";
import { selectVersions, toVersion } from "../records/select-versions.ts";

export function createRecordOfBlob(db: Kysely<Schema>) {
  /** Where the file is, or was before it came into the trash. */
  async function keyInTree({ id, key }: FileRecord): Promise<Key> {
    const place = trashedPlace(key);
    if (place === undefined) return key;
    const item = (subjectId: string) =>
      db
        .selectFrom("trash_items")
        .select("key")
        .where("subject_id", "=", subjectId)
        .executeTakeFirst();
    const ofFile = await item(id);
    if (ofFile !== undefined) return ofFile.key;
    const ofFolder = await item(place.id);
    return ofFolder === undefined ? key : (`${ofFolder.key}${place.rest}` as Key);
  }

  return async (blobId: BlobId): Promise<FileRecord | undefined> => {
    const file = await selectKeptFiles(db).where("files.blob_id", "=", blobId).executeTakeFirst();
    if (file !== undefined) return { ...file, key: await keyInTree(file) };
    const row = await selectVersions(db).where("versions.blob_id", "=", blobId).executeTakeFirst();
    if (row === undefined) return undefined;
    const { fileId, mimeType, size, checksum, sha256, metadata, s3, charset, modifiedAt } =
      toVersion(row);
    const owner = await selectKeptFiles(db).where("files.id", "=", fileId).executeTakeFirst();
    if (owner === undefined) return undefined;
    const content = { blobId, mimeType, size, checksum, sha256, metadata, s3, charset, modifiedAt };
    return { ...owner, ...content, key: await keyInTree(owner) };
  };
}
