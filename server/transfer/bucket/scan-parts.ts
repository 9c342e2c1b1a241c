import { crc32 } from "node:zlib";
import type { BlobInspection } from "../../blobs/port.ts";
import {
  type MultipartRecord,
  type PartRecord,
  placeOfPart,
} from "../../semantics/s3/multipart.ts";

/**
 * Passes the bytes of stored parts to `take`, in order. false: some cannot be read, or are not those that were stored;
 * the bytes before them may have been passed.
 */
export async function scanParts(
  scan: BlobInspection["scan"],
  { blobId, partSize }: Pick<MultipartRecord, "blobId" | "partSize">,
  parts: readonly PartRecord[],
  take: (chunk: Uint8Array) => void,
): Promise<boolean> {
  let at = 0;
  let sum = 0;
  let areWhole = true;

  function pass(chunk: Uint8Array): void {
    sum = crc32(chunk, sum);
    take(chunk);
  }

  function endPart(): void {
    areWhole &&= sum === parts[at]?.checksum;
    sum = 0;
    at += 1;
  }

  async function passApart(): Promise<void> {
    for (let part = parts[at]; part !== undefined && part.blobId !== null; part = parts[at]) {
      areWhole &&= (await scan(part.blobId, pass)) === "whole";
      endPart();
    }
  }

  await passApart();
  if (areWhole && at < parts.length && blobId !== null && partSize !== null) {
    let position = 0;
    // Parts that have blobs of their own leave gaps.
    await scan(blobId, async (chunk) => {
      for (let rest = chunk; rest.length > 0; ) {
        const part = parts[at];
        if (part === undefined || !areWhole) return;
        const start = placeOfPart(part.number, partSize);
        const isInside = position >= start;
        const piece = rest.subarray(0, isInside ? start + part.size - position : start - position);
        if (isInside) pass(piece);
        position += piece.length;
        rest = rest.subarray(piece.length);
        if (position < start + part.size) continue;
        endPart();
        await passApart();
      }
    });
  }
  return areWhole && at === parts.length;
}
