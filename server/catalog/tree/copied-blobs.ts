import type { BlobId, FileRecord } from "../../domain/records.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { requireLeases } from "../blobs/require-leases.ts";
import type { Tx } from "../engine/tx.ts";
import type { BlobCopy, CopySource } from "../port/copies.ts";
import type { FileToStore } from "./file-to-store.ts";
import type { StoredFiles } from "./store-files.ts";

/** The copies of blobs that a copy of files may use. */
export interface CopiedBlobs {
  /** The contents of files that have not been copied. */
  missing(files: readonly FileRecord[]): CopySource[];
  /** The copy of a file, under this name. */
  copyOf(file: FileRecord, name?: FileRecord["name"]): FileToStore;
  /** Condemns the copies that no file has. */
  condemnUnused(stored: StoredFiles): Promise<void>;
}

/** Fault "unavailable": the owner has lost the lease of a blob's block. */
export async function requireCopiedBlobs(
  tx: Tx,
  owner: string,
  blobs: readonly BlobCopy[],
): Promise<CopiedBlobs> {
  const copies = new Map(blobs.map(({ from, to }) => [from, to]));
  await requireLeases(tx, owner, [...copies.values()]);

  function copyOfBlob(id: BlobId): BlobId {
    // Nothing was copied for it: an id that no blob has takes the place of the copy until all is taken back.
    if (tx.dryRun !== undefined) return noBlob(id);
    const copy = copies.get(id);
    if (copy === undefined) throw new Error(`The blob ${id} was not copied.`);
    return copy;
  }

  return {
    missing: (files) =>
      files
        .filter(({ blobId }) => tx.dryRun === undefined && !copies.has(blobId))
        .map(({ blobId, size }) => ({ blobId, size })),

    copyOf: (file, name = file.name) => ({
      name,
      mimeType: file.mimeType,
      size: file.size,
      blobId: copyOfBlob(file.blobId),
      checksum: file.checksum,
      sha256: file.sha256,
      s3: file.s3,
      charset: file.charset,
      metadata: file.metadata,
      visibility: file.visibility,
      // A private file must not become public by replacing a public one.
      replacedVisibility: file.visibility === "private" ? "private" : undefined,
      lifetime: "never",
      replacedLifetime: undefined,
    }),

    async condemnUnused({ added, replaced }) {
      const used = new Set([...added, ...replaced].map(({ blobId }) => blobId));
      await condemnBlobs(
        tx,
        [...copies.values()].filter((id) => !used.has(id)),
      );
    },
  };
}

const noBlob = (id: BlobId): BlobId => (-1 - id) as BlobId;
