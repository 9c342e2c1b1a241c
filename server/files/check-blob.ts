import { crc32 } from "node:zlib";
import type { BlobInspection, TakeChunk } from "../blobs/port.ts";
import type { BlobLedger, FileTree, StoredBlob } from "../catalog/port.ts";
import type { DamagedBlob, MissingBlob } from "./finding.ts";

/** Whether a check reads the bytes or only compares sizes. */
export type Depth = "bytes" | "sizes";

export interface CheckBlobParts {
  readonly catalog: Pick<FileTree, "fileById"> & Pick<BlobLedger, "blobsAfter">;
  readonly blobs: BlobInspection;
  /** Called with every chunk that was read; reading waits for it. */
  readonly pace?: TakeChunk;
}

/** Compares the bytes of a record with its size and checksum; undefined: they match. */
export type CheckBlob = (
  stored: StoredBlob,
  depth: Depth,
) => Promise<MissingBlob | DamagedBlob | undefined>;

type Flaw =
  | { readonly type: "missing" }
  | Pick<DamagedBlob, "type" | "reason" | "found">
  | undefined;

/*
 * There are no false findings while the service runs. A record appears after its bytes are complete,
 * bytes never change, a record is deleted before its bytes, and a blob id is used once. So if the
 * record still exists after the check, the finding is right; if not, the file was deleted meanwhile.
 */
export function createCheckBlob({ catalog, blobs, pace }: CheckBlobParts): CheckBlob {
  async function inspect({ blobId, size, checksum }: StoredBlob, depth: Depth): Promise<Flaw> {
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
    const flaw = await inspect(stored, depth);
    if (flaw === undefined) return undefined;
    const { blobId, fileId, size, checksum } = stored;
    const [still] = await catalog.blobsAfter(blobId - 1, 1);
    if (still?.blobId !== blobId || still.fileId !== fileId) return undefined;
    const key = (await catalog.fileById(fileId))?.key ?? null;
    return { ...flaw, id: fileId, key, blobId, place: blobs.placeOf(blobId), size, checksum };
  };
}

function damaged(
  reason: DamagedBlob["reason"],
  size: number | null,
  checksum: number | null,
): Flaw {
  return { type: "damaged", reason, found: { size, checksum } };
}
