import { crc32 } from "node:zlib";
import type { BlobInspection, TakeChunk } from "../blobs/port.ts";
import type { BlobId } from "../rules/records.ts";

/** Bytes as a record says they should be. */
export interface Expected {
  readonly blobId: BlobId;
  readonly size: number;
  readonly checksum: number;
}

/**
 * Hands over the bytes of a blob and compares them with their record: null when they are right,
 * else what is wrong, as the end of a sentence. What `take` throws is thrown.
 */
export async function checkBytes(
  blobs: BlobInspection,
  { blobId, size, checksum }: Expected,
  take: TakeChunk,
): Promise<string | null> {
  let seen = 0;
  let sum = 0;
  let failure: { readonly cause: unknown } | undefined;
  const result = await blobs.scan(blobId, async (chunk) => {
    seen += chunk.length;
    sum = crc32(chunk, sum);
    try {
      await take(chunk);
    } catch (cause) {
      // Kept apart: a disk that cannot be written is not one that cannot be read.
      failure ??= { cause };
      throw cause;
    }
  });
  if (failure !== undefined) throw failure.cause;
  if (result === "absent") return "its bytes are missing";
  if (result === "unreadable") return "its bytes cannot be read";
  if (seen !== size) return `it has ${seen} bytes instead of ${size}`;
  return sum === checksum ? null : "its bytes have changed";
}
