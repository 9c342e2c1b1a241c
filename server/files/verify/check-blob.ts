import type { BlobInspection, TakeChunk } from "../../blobs/port.ts";
import type { BlobLedger, NewDigest, StoredBlob } from "../../catalog/port/blob-ledger.ts";
import type { BlobId } from "../../domain/records.ts";
import { sleep } from "../../runtime/sleep.ts";
import { type ContentSums, createContentHash } from "../upload/content-hash.ts";
import type { DamagedBlob, MissingBlob } from "./finding.ts";

/** Whether a check reads the bytes or only compares sizes. */
export type Depth = "bytes" | "sizes";

export interface CheckBlobDeps {
  readonly catalog: Pick<BlobLedger, "blobsAfter" | "recordOfBlob">;
  readonly blobs: BlobInspection;
  /** Called with each chunk; reading waits for it. */
  readonly pace?: TakeChunk;
  /** Waits for this many milliseconds. Default: `sleep`. */
  readonly pause?: (milliseconds: number) => Promise<void>;
  /** Called for a blob that matches a record without a digest. */
  readonly onDigest?: (digest: NewDigest) => void;
}

/** Compares a blob with the size and checksums of its record. undefined: they match. */
export type CheckBlob = (
  stored: StoredBlob,
  depth: Depth,
) => Promise<MissingBlob | DamagedBlob | undefined>;

const MAX_READS = 2;
/** Longer than the moment for which a busy store refuses reads. */
const PAUSE_MS = 5000;

type Mismatch =
  | { readonly type: "missing" }
  | Pick<DamagedBlob, "type" | "reason" | "found">
  | undefined;

/*
 * There are no false findings while the service runs. A record is created after its blob is complete,
 * blobs never change, a record is deleted before its blob, and a blob id is used once. So if the
 * record still exists after the check, the finding is right; if not, the file was deleted meanwhile.
 */
export function createCheckBlob(deps: CheckBlobDeps): CheckBlob {
  const { catalog, blobs, pace, pause = sleep, onDigest } = deps;

  /** A read that fails once is not damage: the second one is later. */
  async function read(blobId: BlobId): Promise<ContentSums | "absent" | "unreadable"> {
    for (let attempt = 1; ; attempt += 1) {
      const hash = createContentHash();
      const outcome = await blobs.scan(blobId, (chunk) => {
        hash.update(chunk);
        return pace?.(chunk);
      });
      if (outcome === "whole") return hash.end();
      if (outcome === "absent" || attempt === MAX_READS) return outcome;
      await pause(PAUSE_MS);
    }
  }

  async function inspect(stored: StoredBlob, depth: Depth): Promise<Mismatch> {
    const { blobId, size, checksum, sha256 } = stored;
    if (depth === "sizes") {
      const found = await blobs.sizeOf(blobId);
      if (found === undefined) return { type: "missing" };
      return found === size ? undefined : damaged("size", { ...NOT_READ, size: found });
    }
    const sums = await read(blobId);
    if (sums === "absent") return { type: "missing" };
    if (sums === "unreadable") return damaged("unreadable", NOT_READ);
    if (sums.size !== size) return damaged("size", sums);
    if (sums.checksum !== checksum) return damaged("checksum", sums);
    if (sha256 !== null && sums.sha256 !== sha256) return damaged("digest", sums);
    if (sha256 === null) onDigest?.({ fileId: stored.fileId, blobId, sha256: sums.sha256 });
    return undefined;
  }

  return async (stored, depth) => {
    const mismatch = await inspect(stored, depth);
    if (mismatch === undefined) return undefined;
    const { blobId, fileId, size, checksum, sha256 } = stored;
    const [current] = await catalog.blobsAfter(blobId - 1, 1);
    if (current?.blobId !== blobId || current.fileId !== fileId) return undefined;
    const key = (await catalog.recordOfBlob(blobId))?.key ?? null;
    const place = blobs.placeOf(blobId);
    return { ...mismatch, id: fileId, key, blobId, place, size, checksum, sha256 };
  };
}

const NOT_READ = { size: null, checksum: null, sha256: null };

const damaged = (reason: DamagedBlob["reason"], found: DamagedBlob["found"]): Mismatch => ({
  type: "damaged",
  reason,
  found,
});
