import { crc32 } from "node:zlib";

/* Reads zip archives by their central directory and checks everything. Only stored entries. */

export interface ZipRecord {
  readonly path: string;
  readonly size: number;
  readonly checksum: number;
  /** In whole seconds since 1970, from the "UT" field. */
  readonly modified: number;
  /** The DOS time, in UTC. */
  readonly dosTime: string;
  readonly mode: number;
  /** The offset of the local header. */
  readonly offset: number;
}

export interface UnzippedEntry extends ZipRecord {
  readonly bytes: Uint8Array;
}

const wide = 0xffff_ffff;

function need(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Invalid zip: ${what}`);
}

/** The records of the central directory; `tail` is the archive from `tailOffset` to its end. */
export function readDirectory(tail: Uint8Array, tailOffset = 0): ZipRecord[] {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const end = tail.length - 22;
  need(view.getUint32(end, true) === 0x0605_4b50, "no end record at the end");
  let count = view.getUint16(end + 10, true);
  let size = view.getUint32(end + 12, true);
  let offset = view.getUint32(end + 16, true);
  let last = end;
  if (count === 0xffff || size === wide || offset === wide) {
    need(view.getUint32(end - 20, true) === 0x0706_4b50, "no zip64 locator");
    const at = Number(view.getBigUint64(end - 12, true)) - tailOffset;
    need(at === end - 76, "the zip64 record is not where the locator says");
    need(view.getUint32(at, true) === 0x0606_4b50, "no zip64 end record");
    need(view.getBigUint64(at + 4, true) === 44n, "a zip64 end record of another length");
    count = Number(view.getBigUint64(at + 32, true));
    size = Number(view.getBigUint64(at + 40, true));
    offset = Number(view.getBigUint64(at + 48, true));
    last = at;
  }
  need(offset - tailOffset + size === last, "the directory does not end where it should");
  const records: ZipRecord[] = [];
  let at = offset - tailOffset;
  while (at < last) {
    need(view.getUint32(at, true) === 0x0201_4b50, "no record in the directory");
    need(view.getUint16(at + 8, true) === 0x0800, "flags other than UTF-8 names");
    need(view.getUint16(at + 10, true) === 0, "a method other than stored");
    const pathEnd = at + 46 + view.getUint16(at + 28, true);
    const next = pathEnd + view.getUint16(at + 30, true);
    const extra = extraFields(tail.subarray(pathEnd, next));
    const big = extra.get(1);
    let taken = 0;
    const wideOr = (value: number): number => {
      if (value !== wide) return value;
      taken += 8;
      return Number(big?.getBigUint64(taken - 8, true));
    };
    const full = wideOr(view.getUint32(at + 24, true));
    const packed = wideOr(view.getUint32(at + 20, true));
    need(full === packed, "stored with another size");
    const start = wideOr(view.getUint32(at + 42, true));
    need(taken === (big?.byteLength ?? 0), "a zip64 field with more than is needed");
    need(view.getUint16(at + 6, true) === (big === undefined ? 20 : 45), "another version");
    records.push({
      path: new TextDecoder("utf-8", { fatal: true }).decode(tail.subarray(at + 46, pathEnd)),
      size: full,
      checksum: view.getUint32(at + 16, true),
      modified: extra.get(0x5455)?.getInt32(1, true) ?? Number.NaN,
      dosTime: dosTime(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
      mode: view.getUint16(at + 40, true),
      offset: start,
    });
    at = next;
  }
  need(records.length === count, "the record count differs from the directory");
  return records;
}

/** All entries with their bytes; throws if the archive is inconsistent. */
export function unzip(archive: Uint8Array): UnzippedEntry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  let expected = 0;
  return readDirectory(archive).map((record) => {
    const { offset: at, size, path } = record;
    need(at === expected, `a gap before ${path}`);
    need(view.getUint32(at, true) === 0x0403_4b50, `no local header of ${path}`);
    const pathEnd = at + 30 + view.getUint16(at + 26, true);
    need(new TextDecoder().decode(archive.subarray(at + 30, pathEnd)) === path, "another name");
    need(view.getUint32(at + 14, true) === record.checksum, `another checksum of ${path}`);
    need(view.getUint32(at + 18, true) === size, `another size of ${path}`);
    need(view.getUint32(at + 22, true) === size, `another size of ${path}`);
    const start = pathEnd + view.getUint16(at + 28, true);
    const bytes = archive.subarray(start, start + size);
    expected = start + size;
    need(crc32(bytes) === record.checksum, `the bytes of ${path} are not what they were`);
    return { ...record, bytes };
  });
}

function extraFields(bytes: Uint8Array): Map<number, DataView> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = new Map<number, DataView>();
  for (let at = 0; at < bytes.length; ) {
    const length = view.getUint16(at + 2, true);
    need(at + 4 + length <= bytes.length, "an extra field that is cut");
    fields.set(
      view.getUint16(at, true),
      new DataView(bytes.buffer, bytes.byteOffset + at + 4, length),
    );
    at += 4 + length;
  }
  return fields;
}

function dosTime(day: number, time: number): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  const date = `${1980 + (day >> 9)}-${two((day >> 5) & 15)}-${two(day & 31)}`;
  return `${date} ${two(time >> 11)}:${two((time >> 5) & 63)}:${two((time & 31) * 2)}`;
}
