import type { Millis } from "../../domain/records.ts";

/*
 * The ZIP file format (APPNOTE 6.3, ISO/IEC 21320-1) for uncompressed files of known size and CRC-32.
 * It needs no data descriptors, so an archive can be read both as a stream and through its directory.
 */

export interface ZipEntry {
  /** In UTF-8, segments joined by "/"; that of a folder ends in "/". */
  readonly path: Uint8Array;
  /** In bytes; 0 for a folder. */
  readonly size: number;
  /** CRC-32 of the content, unsigned. */
  readonly checksum: number;
  readonly modifiedAt: Millis;
}

const MAX_16 = 0xffff;
const MAX_32 = 0xffff_ffff;
/** The format version that a reader must support: 2.0 for folders, 4.5 for zip64. */
const PLAIN = 20;
const ZIP64 = 45;
/** Made on Unix: the attributes contain Unix file modes. */
const MADE_BY = (3 << 8) | ZIP64;
const UTF8_NAMES = 1 << 11;
const FILE_MODE = 0o100644;
const FOLDER_MODE = 0o040755;
const FOLDER_BIT = 0x10;
const SLASH = 0x2f;

const LOCAL_LENGTH = 30;
const CENTRAL_LENGTH = 46;
const TIME_LENGTH = 9;

export function localLength({ path, size }: Pick<ZipEntry, "path" | "size">): number {
  return LOCAL_LENGTH + path.length + TIME_LENGTH + (size >= MAX_32 ? 20 : 0);
}

/** The local header, which precedes an entry's bytes (4.3.7). */
export function localHeader(entry: ZipEntry): Uint8Array {
  const { path, size, checksum, modifiedAt } = entry;
  const big = size >= MAX_32;
  const out = startRecord();
  out.u32(0x0403_4b50);
  out.u16(big ? ZIP64 : PLAIN);
  out.u16(UTF8_NAMES);
  out.u16(0);
  out.u32(dosTime(modifiedAt));
  out.u32(checksum);
  out.u32(big ? MAX_32 : size);
  out.u32(big ? MAX_32 : size);
  out.u16(path.length);
  out.u16(TIME_LENGTH + (big ? 20 : 0));
  out.raw(path);
  out.time(modifiedAt);
  if (big) out.wide([size, size]);
  return out.end();
}

/** The central directory record of an entry whose local header is at `offset` (4.3.12). */
export function centralRecord(entry: ZipEntry, offset: number): Uint8Array {
  const { path, size, checksum, modifiedAt } = entry;
  const wide = [...(size >= MAX_32 ? [size, size] : []), ...(offset >= MAX_32 ? [offset] : [])];
  const extra = TIME_LENGTH + (wide.length > 0 ? 4 + 8 * wide.length : 0);
  const isFolder = path.at(-1) === SLASH;
  const out = startRecord();
  out.u32(0x0201_4b50);
  out.u16(MADE_BY);
  out.u16(wide.length > 0 ? ZIP64 : PLAIN);
  out.u16(UTF8_NAMES);
  out.u16(0);
  out.u32(dosTime(modifiedAt));
  out.u32(checksum);
  out.u32(Math.min(size, MAX_32));
  out.u32(Math.min(size, MAX_32));
  out.u16(path.length);
  out.u16(extra);
  out.u16(0);
  out.u16(0);
  out.u16(0);
  out.u32(isFolder ? FOLDER_MODE * 2 ** 16 + FOLDER_BIT : FILE_MODE * 2 ** 16);
  out.u32(Math.min(offset, MAX_32));
  out.raw(path);
  out.time(modifiedAt);
  if (wide.length > 0) out.wide(wide);
  return out.end();
}

/** Parses the record of `centralRecord` at this position; `end` is the position after it. */
export function readCentralRecord(view: DataView, at: number): { entry: ZipEntry; end: number } {
  const pathLength = view.getUint16(at + 28, true);
  const extra = at + CENTRAL_LENGTH + pathLength;
  const size = view.getUint32(at + 24, true);
  return {
    entry: {
      path: new Uint8Array(view.buffer, view.byteOffset + at + CENTRAL_LENGTH, pathLength),
      size: size === MAX_32 ? Number(view.getBigUint64(extra + TIME_LENGTH + 4, true)) : size,
      checksum: view.getUint32(at + 16, true),
      modifiedAt: view.getInt32(extra + 5, true) * 1000,
    },
    end: extra + view.getUint16(at + 30, true),
  };
}

export interface ZipDirectory {
  readonly entries: number;
  /** Offset and size of the central directory, in bytes. */
  readonly offset: number;
  readonly size: number;
}

/** The records at the end of the archive (4.3.14 to 4.3.16). */
export function endOfZip({ entries, offset, size }: ZipDirectory): Uint8Array {
  const big = entries >= MAX_16 || offset >= MAX_32 || size >= MAX_32;
  const out = startRecord();
  if (big) {
    out.u32(0x0606_4b50);
    out.u64(44);
    out.u16(MADE_BY);
    out.u16(ZIP64);
    out.u32(0);
    out.u32(0);
    out.u64(entries);
    out.u64(entries);
    out.u64(size);
    out.u64(offset);
    out.u32(0x0706_4b50);
    out.u32(0);
    out.u64(offset + size);
    out.u32(1);
  }
  out.u32(0x0605_4b50);
  out.u16(0);
  out.u16(0);
  out.u16(Math.min(entries, MAX_16));
  out.u16(Math.min(entries, MAX_16));
  out.u32(Math.min(size, MAX_32));
  out.u32(Math.min(offset, MAX_32));
  out.u16(0);
  return out.end();
}

/** Date and time in DOS format, in UTC, clamped to the years that it supports. */
function dosTime(modifiedAt: Millis): number {
  const earliest = Date.UTC(1980, 0, 1);
  const latest = Date.UTC(2107, 11, 31, 23, 59, 58);
  const date = new Date(Math.min(Math.max(modifiedAt, earliest), latest));
  const day =
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return day * 2 ** 16 + time;
}

/**
 * Where every record is written before it is copied: views of their own would cost more than the
 * records. The longest has a path of 65,535 bytes.
 */
const scratch = new Uint8Array(MAX_16 + 1024);
const scratchView = new DataView(scratch.buffer);
/** The end of what was written of the current record. */
let at = 0;

/** Writes little-endian integers and bytes in sequence. One record must end before the next starts. */
function startRecord(): typeof recordWriter {
  at = 0;
  return recordWriter;
}

const recordWriter = {
  u16(value: number): void {
    scratchView.setUint16(at, value, true);
    at += 2;
  },
  u32(value: number): void {
    scratchView.setUint32(at, value, true);
    at += 4;
  },
  u64(value: number): void {
    scratchView.setBigUint64(at, BigInt(value), true);
    at += 8;
  },
  raw(part: Uint8Array): void {
    scratch.set(part, at);
    at += part.length;
  },
  /** The "UT" extra field: the time in UTC, as DOS times have no time zone. Clamped to 2038. */
  time(modifiedAt: Millis): void {
    const seconds = Math.floor(modifiedAt / 1000);
    recordWriter.u16(0x5455);
    recordWriter.u16(5);
    scratch[at] = 1;
    at += 1;
    scratchView.setInt32(at, Math.min(Math.max(seconds, -(2 ** 31)), 2 ** 31 - 1), true);
    at += 4;
  },
  /** The zip64 extra field: the values that do not fit into 32 bits. */
  wide(values: readonly number[]): void {
    recordWriter.u16(1);
    recordWriter.u16(8 * values.length);
    for (const value of values) recordWriter.u64(value);
  },
  /** A copy of the record. */
  end: (): Uint8Array => scratch.slice(0, at),
};
