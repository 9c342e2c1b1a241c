import type { Charset } from "../../../contract/text/charset.ts";
import type { Actor } from "../../domain/activity.ts";
import type { BlobId, Key, MetadataText, Millis, Visibility } from "../../domain/records.ts";
import type { S3Attributes } from "./attributes.ts";
import type { ChecksumAlgorithm, Checksums } from "./checksums.ts";
import type { Tags } from "./tags.ts";

/** What the object of a multipart upload will have. */
export interface MultipartAttributes {
  readonly mimeType: string;
  /** Absent in uploads that an older version has begun. */
  readonly charset?: Charset;
  /** null: none. */
  readonly metadata: MetadataText | null;
  /** null: none was named. */
  readonly visibility: Visibility | null;
  /** The algorithm for the parts and for the object; undefined: none was chosen. */
  readonly checksumAlgorithm?: ChecksumAlgorithm | undefined;
  readonly checksumType?: S3Attributes["checksumType"] | undefined;
  /** Same as in `S3Attributes`. */
  readonly storageClass?: string | undefined;
  readonly tags?: Tags;
  /** Same as in `S3Attributes`. */
  readonly contentType?: string;
}

/** A multipart upload of the S3 API. */
export interface MultipartRecord {
  /** A UUID that begins with the time of creation. */
  readonly id: string;
  /** The first segment of the key. */
  readonly bucket: Key;
  readonly key: Key;
  readonly maker: Actor;
  readonly attributes: MultipartAttributes;
  /** The blob into which parts are written in place; null: each part is a blob of its own. */
  readonly blobId: BlobId | null;
  /** The size of parts in place, in bytes; null: there is none yet. */
  readonly partSize: number | null;
  /** assembling: no further part can be written in place. */
  readonly state: "open" | "assembling" | "finished";
  /** The file of the object, once the upload is finished. */
  readonly fileId: string | null;
  /** The ETag of the object, once the upload is finished. */
  readonly etag: string | null;
  readonly createdAt: Millis;
  /** Expiry of the upload. After completion: until then, repeating Complete returns the same result. */
  readonly expiresAt: Millis;
}

/** The content of a part, which is stored durably. */
export interface PartContent {
  readonly size: number;
  /** Hexadecimal digits: its ETag. */
  readonly md5: string;
  /** CRC-32 of the content, unsigned. */
  readonly checksum: number;
  readonly checksums: Checksums;
  /** null: in place, in the blob of the upload. */
  readonly blobId: BlobId | null;
}

export interface PartRecord extends PartContent {
  /** From 1 to 10,000. */
  readonly number: number;
  readonly modifiedAt: Millis;
}

/** The smallest size of a part that is not the last, in bytes. */
export const MIN_PART_SIZE = 5 * 1024 ** 2;

/** The position in the blob of the upload at which a part in place begins. */
export const placeOfPart = (number: number, partSize: number): number => (number - 1) * partSize;
