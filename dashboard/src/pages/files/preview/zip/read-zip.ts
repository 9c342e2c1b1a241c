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
  /** At most `MAX_ENTRIES`, in the order of the archive. */
  readonly entries: readonly ZipEntry[];
  readonly hasMore: boolean;
}

/** More would be slow to show, and nobody reads them. */
export const MAX_ENTRIES = 5_000;
/** The list of about 300,000 files; a larger one would take the browser's memory. */
const MAX_LIST_BYTES = 32 * 1024 ** 2;
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
export async function readZip(size: number, read: ReadBytes): Promise<ZipContents> {
  const tailStart = Math.max(0, size - TAIL_BYTES);
  const tail = await read(tailStart, size - tailStart);
  const source: ReadableReader & Ranges = {
    // The library's type wants a stream, which it reads only from sources without ranges.
    readable: new ReadableStream(),
    size,
    init: async () => {},
    async readUint8Array(start: number, length: number): Promise<Uint8Array> {
      if (length > MAX_LIST_BYTES) throw new ZipNotShown("its list of files is too long to show.");
      const end = Math.min(size, start + length);
      if (start >= tailStart) return tail.subarray(start - tailStart, end - tailStart);
      return read(start, end - start);
    },
  };
  const zip = new ZipReader(source);
  const entries: ZipEntry[] = [];
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      if (entries.length === MAX_ENTRIES) return { entries, hasMore: true };
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
  return { entries, hasMore: false };
}
