import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { blockOf } from "../../domain/blob-id.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { fsyncDurations } from "../../domain/process-figures.ts";
import type { BlobId } from "../../domain/records.ts";
import type { AssembledBlobs, BlobPiece, BlobWriter } from "../port.ts";
import type { BlockFolders } from "./block-folders.ts";
import { errorCode, unlessAbsent } from "./disk-fault.ts";
import { blobPath } from "./disk-paths.ts";
import type { DiskWriter } from "./disk-writer.ts";
import { createPartWriter } from "./part-writer.ts";

export interface DiskAssemblyDeps {
  readonly root: string;
  readonly folders: BlockFolders;
  readonly create: (id: BlobId) => Promise<DiskWriter>;
  readonly faultOf: (error: unknown) => unknown;
  /** Same as `sharesBytes`. */
  readonly sharesBytes: boolean;
}

const NEW_FILE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
const CHUNK = 1024 ** 2;
/** Larger files are written and synced piece by piece, so that others do not wait for their syncs. */
const MAX_KERNEL_COPY = 64 * CHUNK;

/** Parts in place are written into one file. Pieces of other blobs are copied. */
export function createDiskAssembly(deps: DiskAssemblyDeps): AssembledBlobs {
  const { root, folders, create, faultOf } = deps;

  /** Fault "gone": there is no such blob. */
  async function openBlob(id: BlobId, flags: number): Promise<FileHandle> {
    return open(blobPath(root, id), flags).catch((error: unknown) => {
      throw errorCode(error) === "ENOENT" ? goneBlob(id, error) : faultOf(error);
    });
  }

  async function copyPiece({ blobId, start, end }: BlobPiece, writer: BlobWriter): Promise<void> {
    const file = await openBlob(blobId, constants.O_RDONLY);
    const chunk = new Uint8Array(Math.min(CHUNK, end - start));
    try {
      for (let position = start; position < end; ) {
        const length = Math.min(chunk.byteLength, end - position);
        const { bytesRead } = await file.read(chunk, 0, length, position);
        if (bytesRead === 0) throw goneBlob(blobId, new Error(`It has ${position} bytes.`));
        await writer.write(chunk.subarray(0, bytesRead));
        position += bytesRead;
      }
    } finally {
      await file.close();
    }
  }

  /** Whether the pieces are a whole blob, which the kernel has copied. */
  async function copyWhole(pieces: readonly BlobPiece[], writer: DiskWriter): Promise<boolean> {
    const [piece, ...others] = pieces;
    if (piece === undefined || others.length > 0 || piece.start > 0) return false;
    if (piece.end > MAX_KERNEL_COPY && !deps.sharesBytes) return false;
    const path = blobPath(root, piece.blobId);
    const found = await stat(path).catch(unlessAbsent);
    if (found === undefined) throw goneBlob(piece.blobId, new Error("There is no such file."));
    if (found.size !== piece.end) return false;
    const written = await writer.writeFile(path).catch((error: unknown) => {
      throw errorCode(error) === "ENOENT" ? goneBlob(piece.blobId, error) : error;
    });
    if (written !== piece.end) throw new Error(`The kernel copied ${written} bytes.`);
    return true;
  }

  return {
    partsInPlace: {
      async begin(id) {
        const block = blockOf(id);
        try {
          const path = blobPath(root, id);
          const file = await folders.enter(block, () => open(path, NEW_FILE, 0o600));
          try {
            await Promise.all([file.close(), folders.sync(block)]);
          } finally {
            folders.leave(block);
          }
        } catch (error) {
          throw faultOf(error);
        }
      },

      async write(id, offset) {
        const file = await openBlob(id, constants.O_WRONLY);
        return createPartWriter({ file, offset, faultOf });
      },

      async complete(id, size) {
        const file = await openBlob(id, constants.O_RDONLY);
        try {
          const found = await file.stat();
          if (found.size < size) throw goneBlob(id, new Error(`It has ${found.size} bytes.`));
          if (found.size > size) await cut(id, size);
          else await fsyncDurations.measure(() => file.sync());
        } catch (error) {
          throw faultOf(error);
        } finally {
          await file.close();
        }
      },
    },

    async assemble(id, pieces) {
      const writer = await create(id);
      try {
        if (!(await copyWhole(pieces, writer))) {
          for (const piece of pieces) await copyPiece(piece, writer);
        }
        await writer.seal();
      } catch (error) {
        await writer.discard();
        throw faultOf(error);
      }
    },
  };

  /** A complete blob cannot be opened for writing any more once its record is committed. */
  async function cut(id: BlobId, size: number): Promise<void> {
    const file = await openBlob(id, constants.O_WRONLY);
    try {
      await file.truncate(size);
      await fsyncDurations.measure(() => file.sync());
    } finally {
      await file.close();
    }
  }
}

const goneBlob = (id: BlobId, cause: unknown): Fault =>
  new Fault("gone", "Bytes of this upload are no longer stored. Upload them again.", {
    cause: new Error(`The blob ${id} is absent or too short.`, { cause }),
  });
