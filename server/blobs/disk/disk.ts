import { constants, type Stats, statSync } from "node:fs";
import { mkdir, open, opendir, readdir, stat, statfs, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { blockOf } from "../../domain/blob-id.ts";
import type { BlobId } from "../../domain/records.ts";
import { fsyncFolder } from "../../fs/fsync.ts";
import { forEachConcurrently } from "../../lib/for-each-concurrently.ts";
import { fileBlob } from "../../runtime/files.ts";
import type { OnTrouble } from "../driver.ts";
import { createGrow } from "../growing-blob.ts";
import type { BlobInspection, Blobs, BorrowedBody, Slice } from "../port.ts";
import { MAX_SMALL_BYTES, ownBody } from "../small-blob-cache.ts";
import { createBlockFolders } from "./block-folders.ts";
import { createCommitMarks } from "./commit-marks.ts";
import { isCommittedMode } from "./committed-mode.ts";
import { createDiskAssembly } from "./disk-assembly.ts";
import { createDiskFaults, diskFault, unlessAbsent } from "./disk-fault.ts";
import { createDiskInspection, requireRoot } from "./disk-inspection.ts";
import { blobPath, blockPath, parseBlobName, parseBlockName } from "./disk-paths.ts";
import { createDiskWriter, type DiskWriter } from "./disk-writer.ts";
import { openGrowingFile } from "./growing-file.ts";
import { createOpenFiles, type OpenFiles } from "./open-files.ts";
import { readPiece, readWhole } from "./read-piece.ts";

const NEW_FILE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
/** Keeps the disk busy but leaves I/O threads for requests. */
const REMOVAL_CONCURRENCY = 8;

/**
 * Stores blobs as files below `folder`, which is created if absent and belongs to this store alone.
 * Writes, fsyncs, removals and listings run on the runtime's I/O threads, so a slow disk does not block
 * the event loop.
 *
 * `read` returns the bytes of small blobs and slices, whose files it keeps open for a second. For others it checks the file and returns its path, which
 * the runtime opens later. If the blob is removed in between, the runtime fails with ENOENT, which the
 * sender of the body must treat as an absent blob. Once open, a body is sent in full even if the blob
 * is removed.
 *
 * A blob is writable for its owner until its record is committed, and read-only from then on.
 *
 * `onTrouble` makes errors of the device "unavailable", and gets them.
 *
 * The quarantine is the folder `quarantine` next to `folder`. Users may delete it.
 */
export async function createDiskBlobs(
  folder: string,
  onTrouble?: OnTrouble,
): Promise<Blobs & BlobInspection> {
  const root = resolve(folder);
  await makeRoot(root);
  const folders = createBlockFolders(root);
  const marks = createCommitMarks();
  const openFiles = createOpenFiles();
  const faultOf = onTrouble === undefined ? diskFault : createDiskFaults(onTrouble);

  const grow = createGrow((id, { offset }) => {
    const block = blockOf(id);
    return openGrowingFile({ root, path: blobPath(root, id), block, offset, folders });
  }, faultOf);

  async function remove(ids: readonly BlobId[]): Promise<void> {
    try {
      await forEachConcurrently(ids, REMOVAL_CONCURRENCY, async (id) => {
        const path = blobPath(root, id);
        await unlink(path).catch(unlessAbsent);
        openFiles.forget(path);
      });
      const blocks = new Set(ids.map(blockOf));
      await forEachConcurrently(blocks, REMOVAL_CONCURRENCY, (block) => folders.flush(block));
    } catch (error) {
      throw faultOf(error);
    }
  }

  async function create(id: BlobId): Promise<DiskWriter> {
    const block = blockOf(id);
    const path = blobPath(root, id);
    try {
      const file = await folders.enter(block, () => open(path, NEW_FILE, 0o600));
      return createDiskWriter({ file, path, block, folders, faultOf });
    } catch (error) {
      throw faultOf(error);
    }
  }

  function borrow(id: BlobId, size: number, slice?: Slice): BorrowedBody | undefined {
    try {
      const found = readFile(openFiles, blobPath(root, id), size, slice);
      if (found === undefined) requireRoot(root);
      return found;
    } catch (error) {
      throw faultOf(error);
    }
  }

  return {
    grow,
    removeGrowing: remove,
    create,
    ...createDiskAssembly({ root, folders, create, faultOf, sharesBytes: await sharesBytes(root) }),
    ...createDiskInspection(root, join(dirname(root), "quarantine"), openFiles),

    borrow,

    read: (id, size, slice) => ownBody(borrow(id, size, slice)),

    remove,

    mayWriteLate: false,

    flushBlock: (block) => folders.flush(block),

    markCommitted: (ids) => marks.mark(ids.map((id) => blobPath(root, id))),

    async committedAmong(ids) {
      const committed: BlobId[] = [];
      for (const id of ids) {
        const found = await stat(blobPath(root, id)).catch(unlessAbsent);
        if (found !== undefined && isCommittedMode(found)) committed.push(id);
      }
      return committed;
    },

    async listBlock(block) {
      const names = (await readdir(blockPath(root, block)).catch(unlessAbsent)) ?? [];
      if (names.length === 0) requireRoot(root);
      return names.map((name) => parseBlobName(block, name)).filter((id) => id !== undefined);
    },

    async *listBlocks() {
      for await (const entry of await opendir(root)) {
        const block = parseBlockName(entry.name);
        if (block !== undefined) yield block;
      }
    },

    async freeSpace() {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },

    async ping() {
      await statfs(root);
    },
  };
}

/** The types of file systems whose files can share bytes, as `statfs` returns them. */
const SHARING_TYPES: ReadonlySet<number> = new Set([
  0x9123683e, // btrfs
  0x58465342, // XFS
  0xca451a4e, // bcachefs
  0x2fc12fc1, // ZFS
]);

/** Whether a copy by the kernel may share the bytes of its source, so that it takes no time and no space. */
async function sharesBytes(path: string): Promise<boolean> {
  const { type } = await statfs(path);
  return SHARING_TYPES.has(type);
}

function readFile(
  openFiles: OpenFiles,
  path: string,
  size: number,
  slice: Slice | undefined,
): BorrowedBody | undefined {
  if (slice === undefined) {
    if (size <= MAX_SMALL_BYTES) return readWhole(openFiles, path, size);
  } else if (slice.end - slice.start <= MAX_SMALL_BYTES) {
    return readPiece(openFiles, path, size, slice);
  }
  const found = statOrAbsent(path);
  if (found === undefined || !found.isFile() || found.size !== size) return undefined;
  const file = fileBlob(path);
  return slice === undefined ? file : file.slice(slice.start, slice.end);
}

/** Creates the root and its parents durably. */
async function makeRoot(root: string): Promise<void> {
  const first = await mkdir(root, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let path = root; path.length >= first.length; path = dirname(path)) {
    await fsyncFolder(dirname(path));
  }
}

/**
 * Synchronous on purpose: all I/O threads may be waiting for an fsync, and the runtime opens the body's
 * file on this thread right afterwards anyway.
 */
function statOrAbsent(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    return unlessAbsent(error);
  }
}
