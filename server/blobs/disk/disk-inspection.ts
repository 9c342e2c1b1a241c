import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, open, opendir, readdir, stat } from "node:fs/promises";
import { Fault } from "../../domain/faults/fault.ts";
import type { BlobInspection, TakeChunk } from "../port.ts";
import { diskFault, errorCode, unlessAbsent } from "./disk-fault.ts";
import { blobPath, parseBlobName, parseBlockName } from "./disk-paths.ts";
import { pathOfPlace, placeOfEntry } from "./disk-place.ts";
import { createMoveToQuarantine } from "./disk-quarantine.ts";
import type { OpenFiles } from "./open-files.ts";

/** Without O_NONBLOCK, opening a named pipe at a blob's path would block forever. */
const SCAN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;
/** Large enough for read-ahead, small enough to let other reads run in between. */
const CHUNK = 256 * 1024;
/** Buffers kept for later scans. */
const MAX_POOLED = 32;

/**
 * Inspects the blobs below `root`. `moveToQuarantine` moves files to a folder below `quarantine`.
 * `openFiles`: those of the store in this process.
 */
export function createDiskInspection(
  root: string,
  quarantine: string,
  openFiles?: Pick<OpenFiles, "forget">,
): BlobInspection {
  const bufferPool: Uint8Array[] = [];

  return {
    async scan(id, take) {
      const chunk = bufferPool.pop() ?? new Uint8Array(CHUNK);
      try {
        const file = await open(blobPath(root, id), SCAN_FLAGS);
        try {
          await scanFile(file, chunk, take);
        } finally {
          await file.close();
        }
        return "whole";
      } catch (error) {
        const failure = scanFailure(error);
        if (failure === "absent") requireRoot(root);
        return failure;
      } finally {
        if (bufferPool.length < MAX_POOLED) bufferPool.push(chunk);
      }
    },

    async sizeOf(id) {
      const found = await stat(blobPath(root, id)).catch(unlessAbsent);
      if (found === undefined) requireRoot(root);
      return found?.isFile() ? found.size : undefined;
    },

    placeOf: (id) => blobPath("", id),

    async *listUnrecognized() {
      let hasNonUtf8 = false;
      for await (const { name } of await opendir(root)) {
        const block = parseBlockName(name);
        if (block !== undefined && (await isFolder(`${root}/${name}`))) {
          for (const inside of await namesIn(`${root}/${name}`)) {
            const text = inside.toString();
            const isBlob = parseBlobName(block, text) !== undefined;
            if (!isBlob && !isFromFileSystem(text)) yield placeOfEntry(name, inside);
          }
        } else if (!isUtf8(name)) hasNonUtf8 = true;
        else if (!isFromFileSystem(name)) yield placeOfEntry("", Buffer.from(name));
      }
      // Names that are not UTF-8 are read again as bytes. This takes memory, so only when needed.
      if (!hasNonUtf8) return;
      for (const name of await namesIn(root)) {
        if (!isUtf8(name.toString())) yield placeOfEntry("", name);
      }
    },

    async exists(place) {
      if ((await lstat(pathOfPlace(root, place)).catch(unlessAbsent)) !== undefined) return true;
      requireRoot(root);
      return false;
    },

    moveToQuarantine: createMoveToQuarantine(root, quarantine, openFiles),
  };
}

/**
 * Called before a file counts as absent. Fault "unavailable": the folder of all blobs is absent, too, so
 * its volume is not mounted, and nothing is known about the file.
 */
export function requireRoot(root: string): void {
  if (existsSync(root)) return;
  throw new Fault("unavailable", "The volume of the files is not mounted. Try again later.", {
    cause: new Error(`${root} does not exist.`),
    retryAfter: 5,
  });
}

async function scanFile(file: FileHandle, chunk: Uint8Array, take: TakeChunk): Promise<void> {
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunk.byteLength, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    const taken = take(chunk.subarray(0, bytesRead));
    if (taken !== undefined) await taken;
  }
}

function scanFailure(error: unknown): "absent" | "unreadable" {
  switch (errorCode(error)) {
    case "EIO":
    case "EUCLEAN":
    case "EBADMSG":
    case "EILSEQ":
      return "unreadable";
    case "ENOENT":
    case "ENOTDIR":
    case "ELOOP":
    // A folder, a pipe, a socket.
    case "EISDIR":
    case "ESPIPE":
    case "ENXIO":
      return "absent";
    default:
      throw diskFault(error);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(unlessAbsent))?.isDirectory() ?? false;
}

/** Empty when the folder no longer exists. */
async function namesIn(path: string): Promise<Buffer[]> {
  return (await readdir(path, { encoding: "buffer" }).catch(unlessAbsent)) ?? [];
}

/** Whether the name was valid UTF-8: invalid bytes are decoded as U+FFFD. */
const isUtf8 = (name: string): boolean => !name.includes("\ufffd");

/** Entries that the file system itself creates: in a volume's root, and for removed open files on NFS. */
const isFromFileSystem = (name: string): boolean =>
  name === "lost+found" || /^\.nfs[0-9a-f]+$/.test(name);
