import type { FileRecord } from "../../domain/records.ts";
import { readS3Attributes, writeS3Attributes } from "../../semantics/s3/attributes.ts";
import { objectEtag } from "../../semantics/s3/object-etag.ts";
import type { Tx } from "../engine/tx.ts";
import type { ObjectTags } from "../port/objects.ts";
import { lockFile } from "../tree/change-file.ts";

/** The ETag stays: it is written down for a content that was not stored through the S3 API. */
export async function setObjectTags(tx: Tx, { key, tags }: ObjectTags): Promise<FileRecord> {
  const { file } = await lockFile(tx, { id: { key } });
  const current = readS3Attributes(file.s3);
  if (current === null && tags.length === 0) return file;
  const { tags: _, ...others } = current ?? { etag: objectEtag(file) };
  const s3 = writeS3Attributes(tags.length === 0 ? others : { ...others, tags });
  await tx.db.updateTable("files").set({ s3 }).where("id", "=", file.id).execute();
  return { ...file, s3 };
}
