import { centralRecord, endOfZip, localLength, readCentralRecord, type ZipEntry } from "./zip.ts";

/**
 * The plan of an archive: its entries in order, stored as the records of its central directory. An entry
 * takes about 60 bytes plus its path.
 */
export interface ZipPlan {
  add(entry: ZipEntry): void;
  /** The size of the whole archive, in bytes. */
  size(): number;
  /** The memory that the plan uses, in bytes. */
  weight(): number;
  entries(): Iterable<ZipEntry>;
  /** The bytes after the last entry: the central directory and the end records, in pieces. */
  ending(): Iterable<Uint8Array>;
}

const PAGE = 64 * 1024;

export function createZipPlan(): ZipPlan {
  const full: Uint8Array[] = [];
  let page = new Uint8Array(PAGE);
  let used = 0;
  let count = 0;
  /** The offset of the next local header. */
  let offset = 0;
  let directory = 0;

  function* pages(): Generator<Uint8Array> {
    yield* full;
    if (used > 0) yield page.subarray(0, used);
  }

  const ending = (): Uint8Array => endOfZip({ entries: count, offset, size: directory });

  return {
    add(entry) {
      const record = centralRecord(entry, offset);
      if (used + record.length > page.length) {
        full.push(page.subarray(0, used));
        page = new Uint8Array(Math.max(PAGE, record.length));
        used = 0;
      }
      page.set(record, used);
      used += record.length;
      directory += record.length;
      offset += localLength(entry) + entry.size;
      count += 1;
    },
    size: () => offset + directory + ending().length,
    weight: () => directory,
    *entries() {
      for (const records of pages()) {
        for (let at = 0; at < records.length; ) {
          const { entry, end } = readCentralRecord(records, at);
          yield entry;
          at = end;
        }
      }
    },
    *ending() {
      yield* pages();
      yield ending();
    },
  };
}
