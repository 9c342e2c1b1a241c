import { hash } from "node:crypto";
import type { FileRecord } from "../../domain/records.ts";
import { readS3Attributes } from "./attributes.ts";

/**
 * The ETag of a file in the S3 API, without quotes. Of a content that was not stored through it, it
 * ends in "-1", so that no client takes it for an MD5.
 */
export function objectEtag({ blobId, s3 }: Pick<FileRecord, "blobId" | "s3">): string {
  const attributes = readS3Attributes(s3);
  if (attributes !== null) return attributes.etag;
  return `${hash("sha256", `blob ${blobId}`).slice(0, 32)}-1`;
}

/** The ETag in a header or document without its quotes, which clients leave out or double, as S3 allows. */
export const bareEtag = (text: string): string => text.trim().replaceAll('"', "");

/** The ETag of a folder as an object, without quotes: the MD5 of nothing. */
export const FOLDER_ETAG = "d41d8cd98f00b204e9800998ecf8427e";
