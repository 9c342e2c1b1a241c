import { crc32 } from "node:zlib";
import type { BlobId } from "../domain/records.ts";
import { sha256Of } from "../runtime/digest.ts";
import type { DamagedRead, StoredContent } from "./port.ts";

/**
 * Compares the whole content of a blob with the SHA-256 of its record, or with the CRC-32 where a file of
 * an older version has none. undefined: they match.
 */
export function compareContent(
  blobId: BlobId,
  bytes: Uint8Array,
  { id, key, checksum, sha256 }: StoredContent,
): DamagedRead | undefined {
  if (sha256 === null ? crc32(bytes) === checksum : sha256Of(bytes) === sha256) return undefined;
  const size = bytes.byteLength;
  return {
    type: "damaged",
    reason: sha256 === null ? "checksum" : "digest",
    id,
    key,
    blobId,
    size,
    checksum,
    sha256,
    found: { size, checksum: crc32(bytes), sha256: sha256Of(bytes) },
  };
}
