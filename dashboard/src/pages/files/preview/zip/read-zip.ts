import { type ReadableReader, ZipReader } from "@zip.js/zip.js/lib/zip-core-reader.js";

/** Reads `length` bytes from `start` on. */
export type ReadBytes = (start: number, length: number) => Promise<Uint8Array>;

export interface ZipEntry {
  /** The parts are separated by `/`; the path of a folder ends with one. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly isEncrypted: boolean;
  /** The unpacked size in bytes. */
  readonly size: number;
  /** Zips name no time zone: it is that of the machine that packed the file. */
  readonly modified: Date;
}

export interface ZipContents {
  /** The first entries, in the order of the archive. */
  readonly entries: readonly ZipEntry[];
  /** The number of entries in the archive. */
  readonly total: number;
}

export interface ZipLimits {
  /** The number of entries that are listed: more would be slow to show, and nobody reads them. */
  readonly entries: number;
  /** The size of the archive's list in bytes, which is loaded as a whole. */
  readonly listBytes: number;
}

/** The list of a small archive is in its last bytes, so one request reads it all. */
const TAIL_BYTES = 64 * 1024 + 22;

/** An archive in order, of which the message says why its list is not shown. */
export class ZipNotShown extends Error {}

interface Ranges {
  readonly size: number;
  init(): Promise<void>;
  readUint8Array(start: number, length: number): Promise<Uint8Array>;
}

/**
 * The list of an archive's files, read from its end. Rejects if the archive is damaged; with `ZipNotShown`, if its list
 * is too long.
 */
export async function readZip(
  size: number,
  read: ReadBytes,
  limits: ZipLimits,
): Promise<ZipContents> {
  const tailStart = Math.max(0, size - TAIL_BYTES);
  const tail = await read(tailStart, size - tailStart);
  const source: ReadableReader & Ranges = {
    // The library's type wants a stream, which it reads only from sources without ranges.
    readable: new ReadableStream(),
    size,
    init: async () => {},
    async readUint8Array(start: number, length: number): Promise<Uint8Array> {
      if (length > limits.listBytes)
        throw new ZipNotShown("its list of files is too long to show.");
      const end = Math.min(size, start + length);
      if (start >= tailStart) return tail.subarray(start - tailStart, end - tailStart);
      return read(start, end - start);
    },
  };
  const zip = new ZipReader(source);
  const entries: ZipEntry[] = [];
  let total = 0;
  const onprogress = (_at: number, count: number): void => {
    total = count;
  };
  try {
    for await (const entry of zip.getEntriesGenerator({ onprogress })) {
      if (entries.length === limits.entries) {
        // A damaged archive may count too few.
        return { entries, total: Math.max(total, entries.length + 1) };
      }
      entries.push({
        path: entry.filename,
        isFolder: entry.directory,
        isEncrypted: entry.encrypted,
        size: entry.uncompressedSize,
        modified: entry.lastModDate,
      });
    }
  } finally {
    await zip.close();
  }
  return { entries, total: entries.length };
}
