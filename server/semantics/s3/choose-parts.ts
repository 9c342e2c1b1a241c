import { hash } from "node:crypto";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { type Checksums, checksumEntries } from "./checksums.ts";
import { MIN_PART_SIZE, type PartRecord } from "./multipart.ts";

export const MAX_PART_NUMBER = 10_000;

/** A part that a client lists to complete an upload. */
export interface ListedPart {
  readonly number: number;
  /** Without quotes. */
  readonly etag: string;
  readonly checksums: Checksums;
}

/**
 * The stored parts that the client has listed. S3Faults "InvalidPartOrder"; "InvalidPart": one is absent, or
 * has another ETag or checksum; "EntityTooSmall". The first two name the upload, as S3 does.
 */
export function chooseParts(
  listed: readonly ListedPart[],
  stored: ReadonlyMap<number, PartRecord>,
  uploadId: string,
): PartRecord[] {
  const chosen: PartRecord[] = [];
  for (const [index, { number, etag, checksums }] of listed.entries()) {
    if (number <= (listed[index - 1]?.number ?? 0)) {
      throw new S3Fault("InvalidPartOrder", "The parts must be listed in ascending order.", {
        fields: { UploadId: uploadId },
      });
    }
    const part = stored.get(number);
    if (part === undefined || part.md5 !== etag.toLowerCase() || !hasChecksums(part, checksums)) {
      throw new S3Fault(
        "InvalidPart",
        `Part ${number} was not uploaded, or does not have this ETag and these checksums.`,
        {
          fields: {
            UploadId: uploadId,
            PartNumber: String(number),
            ETag: etag.slice(0, 64).toWellFormed(),
          },
        },
      );
    }
    chosen.push(part);
  }
  for (const { number, size } of chosen.slice(0, -1)) {
    if (size >= MIN_PART_SIZE) continue;
    throw new S3Fault(
      "EntityTooSmall",
      `Part ${number} has ${size} bytes. Every part but the last needs ${MIN_PART_SIZE}.`,
      {
        fields: {
          PartNumber: String(number),
          ProposedSize: String(size),
          MinSizeAllowed: String(MIN_PART_SIZE),
        },
      },
    );
  }
  return chosen;
}

const hasChecksums = (part: PartRecord, checksums: ListedPart["checksums"]): boolean =>
  checksumEntries(checksums).every(
    ([name, value]) => part.checksums[name] === undefined || part.checksums[name] === value,
  );

/** The ETag of an object that was uploaded in parts with these ETags, without quotes. */
export function multipartEtag(etags: readonly string[]): string {
  const bytes = Buffer.concat(etags.map((etag) => Buffer.from(etag, "hex")));
  return `${hash("md5", bytes)}-${etags.length}`;
}
