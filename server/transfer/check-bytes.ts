import { crc32 } from "node:zlib";
import type { BlobInspection, TakeChunk } from "../blobs/port.ts";
import type { BlobId } from "../domain/records.ts";

/** A blob, and the size and checksum in its record. */
export interface Expected {
  readonly blobId: BlobId;
  readonly size: number;
  readonly checksum: number;
}

/**
 * Reads a blob and compares it with its record. null: it matches; otherwise the problem, as the end of a
 * sentence. Rethrows errors of `take`.
 */
export async function checkBytes(
  blobs: BlobInspection,
  { blobId, size, checksum }: Expected,
  take: TakeChunk,
): Promise<string | null> {
  let read = 0;
  let sum = 0;
  let failure: { readonly cause: unknown } | undefined;
  const result = await blobs.scan(blobId, async (chunk) => {
    read += chunk.length;
    sum = crc32(chunk, sum);
    try {
      await take(chunk);
    } catch (cause) {
      // A write error of `take` must not count as a read error of the blob.
      failure ??= { cause };
      throw cause;
    }
  });
  if (failure !== undefined) throw failure.cause;
  if (result === "absent") return "its bytes are missing";
  if (result === "unreadable") return "its bytes cannot be read";
  if (read !== size) return `it has ${read} bytes instead of ${size}`;
  return sum === checksum ? null : "its bytes have changed";
}
