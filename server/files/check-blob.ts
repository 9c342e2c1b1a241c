import { crc32 } from "node:zlib";
import type { BlobInspection, TakeChunk } from "../blobs/port.ts";
import type { BlobLedger, FileTree, StoredBlob } from "../catalog/port.ts";
import type { DamagedBlob, MissingBlob } from "./finding.ts";

/** Whether a check reads the bytes or only compares sizes. */
export type Depth = "bytes" | "sizes";

export interface CheckBlobParts {
  readonly catalog: Pick<FileTree, "fileById"> & Pick<BlobLedger, "blobsAfter">;
  readonly blobs: BlobInspection;
  /** Called with each chunk; reading waits for it. */
  readonly pace?: TakeChunk;
}

/** Compares a blob with the size and checksum of its record. undefined: they match. */
export type CheckBlob = (
  stored: StoredBlob,
  depth: Depth,
) => Promise<MissingBlob | DamagedBlob | undefined>;

type Mismatch =
  | { readonly type: "missing" }
  | Pick<DamagedBlob, "type" | "reason" | "found">
  | undefined;

/*
 * There are no false findings while the service runs. A record is created after its blob is complete,
 * blobs never change, a record is deleted before its blob, and a blob id is used once. So if the
 * record still exists after the check, the finding is right; if not, the file was deleted meanwhile.
 */
export function createCheckBlob({ catalog, blobs, pace }: CheckBlobParts): CheckBlob {
  async function inspect({ blobId, size, checksum }: StoredBlob, depth: Depth): Promise<Mismatch> {
    if (depth === "sizes") {
      const found = await blobs.sizeOf(blobId);
      if (found === undefined) return { type: "missing" };
      return found === size ? undefined : damaged("size", found, null);
    }
    let sum = 0;
    let read = 0;
    const outcome = await blobs.scan(blobId, (chunk) => {
      sum = crc32(chunk, sum);
      read += chunk.byteLength;
      return pace?.(chunk);
    });
    if (outcome === "absent") return { type: "missing" };
    if (outcome === "unreadable") return damaged("unreadable", null, null);
    if (read !== size) return damaged("size", read, sum);
    return sum === checksum ? undefined : damaged("checksum", read, sum);
  }

  return async (stored, depth) => {
    const mismatch = await inspect(stored, depth);
    if (mismatch === undefined) return undefined;
    const { blobId, fileId, size, checksum } = stored;
    const [current] = await catalog.blobsAfter(blobId - 1, 1);
    if (current?.blobId !== blobId || current.fileId !== fileId) return undefined;
    const key = (await catalog.fileById(fileId))?.key ?? null;
    return { ...mismatch, id: fileId, key, blobId, place: blobs.placeOf(blobId), size, checksum };
  };
}

function damaged(
  reason: DamagedBlob["reason"],
  size: number | null,
  checksum: number | null,
): Mismatch {
  return { type: "damaged", reason, found: { size, checksum } };
}
