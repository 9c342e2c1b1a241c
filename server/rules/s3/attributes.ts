import type { S3Text } from "../records.ts";

/** What the S3 API keeps of a content that was stored through it. */
export interface S3Attributes {
  /** Without quotes: the MD5 in hexadecimal digits; of a multipart upload, followed by "-" and the number of parts. */
  readonly etag: string;
  /** In base64, by the name of the algorithm. */
  readonly checksums?: Readonly<Record<string, string>>;
  readonly checksumType?: "FULL_OBJECT" | "COMPOSITE";
  /** The sizes of the parts of a multipart upload. */
  readonly parts?: readonly number[];
}

/** null: the content was not stored through the S3 API. */
export const readS3Attributes = (text: S3Text | null): S3Attributes | null =>
  text === null ? null : JSON.parse(text);

export const writeS3Attributes = (attributes: S3Attributes): S3Text =>
  JSON.stringify(attributes) as S3Text;
