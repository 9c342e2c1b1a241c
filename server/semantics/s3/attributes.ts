import type { S3Text } from "../../domain/records.ts";
import type { Checksums } from "./checksums.ts";
import type { Tags } from "./tags.ts";

/** What the S3 API keeps of a content that was stored through it. */
export interface S3Attributes {
  /** Without quotes: the MD5 in hexadecimal digits; of a multipart upload, followed by "-" and the number of parts. */
  readonly etag: string;
  readonly checksums?: Checksums;
  readonly checksumType?: "FULL_OBJECT" | "COMPOSITE";
  /** The sizes of the parts of a multipart upload. */
  readonly parts?: readonly number[];
  /** The checksums of the parts in base64, if they have one of the algorithm of the whole. */
  readonly partChecksums?: readonly string[];
  /** Left out: STANDARD. */
  readonly storageClass?: string;
  readonly tags?: Tags;
  /** The `Content-Type` as it came; left out: the media type and the charset of the file tell it. */
  readonly contentType?: string;
}

/** null: the content was not stored through the S3 API. */
export const readS3Attributes = (text: S3Text | null): S3Attributes | null =>
  text === null ? null : JSON.parse(text);

export const writeS3Attributes = (attributes: S3Attributes): S3Text =>
  JSON.stringify(attributes) as S3Text;
