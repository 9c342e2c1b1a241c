import type { BlobId } from "../../domain/records.ts";
import { zstdCompressSync, zstdDecompressSync } from "../../runtime/zstd.ts";
import { centralRecord, endOfZip, localLength, readCentralRecord, type ZipEntry } from "./zip.ts";

/**
 * The plan of an archive: its entries in order, stored as the records of its central directory in
 * compressed pages. An entry takes 20 to 50 bytes.
 */
export interface ZipPlan {
  /** `blobId`: where the entry's bytes are. Default: it has none. */
  add(entry: ZipEntry, blobId?: BlobId): void;
  /** The size of the whole archive, in bytes. */
  size(): number;
  /** The memory that the entries take, in bytes. In addition, a plan has buffers of `PLAN_BUFFERS`. */
  weight(): number;
  /** The path of an entry is valid until the next one. */
  entries(): Iterable<PlannedEntry>;
  /** The bytes after the last entry: the central directory and the end records, in pieces. */
  ending(): Iterable<Uint8Array>;
}

export interface PlannedEntry extends ZipEntry {
  readonly blobId: BlobId | undefined;
}

const PAGE = 64 * 1024;
/** The page that is being filled, the one that is being read, and the ids of their blobs. */
export const PLAN_BUFFERS = 4 * PAGE;

/** Some records, followed by the ids of their blobs. */
interface StoredPage {
  readonly compressed: Uint8Array;
  /** In bytes. */
  readonly recordsLength: number;
}

interface Page {
  readonly records: Uint8Array;
  /** In the order of the records; `NO_BLOB` for entries without bytes. */
  readonly blobIds: ArrayLike<number>;
}

const NO_BLOB = -1;

export function createZipPlan(): ZipPlan {
  const full: StoredPage[] = [];
  let fullWeight = 0;
  let page = new Uint8Array(PAGE);
  let used = 0;
  let blobIds: number[] = [];
  let count = 0;
  /** The offset of the next local header. */
  let offset = 0;
  let directory = 0;

  function storePage(): void {
    const stored = compress({ records: page.subarray(0, used), blobIds });
    full.push(stored);
    fullWeight += stored.compressed.length;
    used = 0;
    blobIds = [];
  }

  function* pages(): Generator<Page> {
    for (const stored of full) yield expand(stored);
    if (used > 0) yield { records: page.slice(0, used), blobIds };
  }

  const ending = (): Uint8Array => endOfZip({ entries: count, offset, size: directory });

  return {
    add(entry, blobId) {
      const record = centralRecord(entry, offset);
      if (used + record.length > page.length) {
        storePage();
        if (record.length > page.length) page = new Uint8Array(record.length);
      }
      page.set(record, used);
      used += record.length;
      blobIds.push(blobId ?? NO_BLOB);
      directory += record.length;
      offset += localLength(entry) + entry.size;
      count += 1;
    },
    size: () => offset + directory + ending().length,
    weight: () => fullWeight + used,
    *entries() {
      for (const { records, blobIds: ids } of pages()) {
        const view = new DataView(records.buffer, records.byteOffset, records.length);
        for (let at = 0, index = 0; at < records.length; index += 1) {
          const { entry, end } = readCentralRecord(view, at);
          const id = ids[index] ?? NO_BLOB;
          yield { ...entry, blobId: id === NO_BLOB ? undefined : (id as BlobId) };
          at = end;
        }
      }
    },
    *ending() {
      for (const { records } of pages()) yield records;
      yield ending();
    },
  };
}

function compress({ records, blobIds }: Page): StoredPage {
  const ids = new Uint8Array(Float64Array.from(blobIds).buffer);
  const compressed = zstdCompressSync(Buffer.concat([records, ids]), { level: 1 });
  return { compressed, recordsLength: records.length };
}

function expand({ compressed, recordsLength }: StoredPage): Page {
  const bytes = zstdDecompressSync(compressed);
  // Copied, as an array of numbers must start at a multiple of their size.
  const ids = new Uint8Array(bytes.subarray(recordsLength));
  return { records: bytes.subarray(0, recordsLength), blobIds: new Float64Array(ids.buffer) };
}
