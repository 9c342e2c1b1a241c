import { crc32 } from "node:zlib";
import type { BlobInspection, TakeChunk } from "../blobs/port.ts";
import type { BlobLedger, FileTree, StoredBlob } from "../catalog/port.ts";
import type { DamagedBytes, MissingBytes } from "./finding.ts";

/** How closely bytes are looked at: all of them, or only how many there are. */
export type Depth = "bytes" | "sizes";

export interface CheckBlobParts {
  readonly catalog: Pick<FileTree, "fileById"> & Pick<BlobLedger, "blobsAfter">;
  readonly blobs: BlobInspection;
  /** Hears of every chunk that was read, and may hold up the reading. */
  readonly pace?: TakeChunk;
}

/** Compares the bytes of a record with what was stored; undefined when they are the same. */
export type CheckBlob = (
  stored: StoredBlob,
  depth: Depth,
) => Promise<MissingBytes | DamagedBytes | undefined>;

type Flaw =
  | { readonly type: "missing" }
  | Pick<DamagedBytes, "type" | "reason" | "found">
  | undefined;

/*
 * Nothing is invented, whatever goes on meanwhile. A record appears only once its bytes are whole,
 * they are never changed, and the record goes before they do; an id of a blob is given out once. So
 * bytes that were found wrong are wrong if the record is still there afterwards: it was there all
 * the while. If it is not, the file was deleted, and whatever was seen of its bytes says nothing.
 */
export function createCheckBlob({ catalog, blobs, pace }: CheckBlobParts): CheckBlob {
  async function look({ blobId, size, checksum }: StoredBlob, depth: Depth): Promise<Flaw> {
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
    const flaw = await look(stored, depth);
    if (flaw === undefined) return undefined;
    const { blobId, fileId, size, checksum } = stored;
    const [still] = await catalog.blobsAfter(blobId - 1, 1);
    if (still?.blobId !== blobId || still.fileId !== fileId) return undefined;
    const key = (await catalog.fileById(fileId))?.key ?? null;
    return { ...flaw, id: fileId, key, blobId, place: blobs.placeOf(blobId), size, checksum };
  };
}

function damaged(
  reason: DamagedBytes["reason"],
  size: number | null,
  checksum: number | null,
): Flaw {
  return { type: "damaged", reason, found: { size, checksum } };
}
