import { centralRecord, endOfZip, localLength, readCentralRecord, type ZipEntry } from "./zip.ts";

/**
 * An archive before its bytes are read: its entries in order, packed as the directory that ends
 * it. An entry takes some 60 bytes and its path.
 */
export interface ZipPlan {
  add(entry: ZipEntry): void;
  /** Bytes of the whole archive. */
  size(): number;
  /** Memory of the plan while the archive is being sent, in bytes. */
  weight(): number;
  entries(): Iterable<ZipEntry>;
  /** What follows the last entry's bytes, in pieces. */
  ending(): Iterable<Uint8Array>;
}

const PAGE = 64 * 1024;

export function createZipPlan(): ZipPlan {
  const full: Uint8Array[] = [];
  let page = new Uint8Array(PAGE);
  let used = 0;
  let count = 0;
  /** Where the next local header begins. */
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
