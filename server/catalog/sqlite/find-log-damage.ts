import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { addToChecksum, type Checksum, isLittleEndianLog } from "./log-checksum.ts";

/*
 * The write-ahead log, by https://www.sqlite.org/fileformat.html#walformat. SQLite reads it up to the
 * first frame that is not valid and silently ignores the rest, so one flipped bit loses every later
 * change. It also overwrites the log, so this must look at it before SQLite does.
 *
 * The salts of the header are in every frame that was written since the log was last reset. Frames with
 * other salts are from before. So a frame that is not valid, but has the current salts, is either
 * damaged or was being written when the machine stopped. The two cannot be distinguished for certain: a
 * power cut can leave any part of the last transaction. Both count as damage, except what is provably
 * incomplete: the end of the file within a frame, and valid frames without a commit.
 */

const HEADER = 32;
const FRAME_HEADER = 24;
const VERSION = 3007000;
const MIN_PAGE = 512;
const MAX_PAGE = 65536;
/** Frames are read in pieces of about this many bytes. */
const CHUNK = 1024 * 1024;

/**
 * Looks for damage in the write-ahead log of a catalog that no process writes to. Returns what is
 * wrong; undefined: nothing, or there is no log.
 */
export function findLogDamage(path: string): string | undefined {
  const file = openOrAbsent(`${path}-wal`);
  if (file === undefined) return undefined;
  try {
    return examine(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

function openOrAbsent(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function examine(file: number, size: number): string | undefined {
  // Too short for a frame: nothing was committed in it.
  if (size < HEADER + FRAME_HEADER + MIN_PAGE) return undefined;
  const header = readAt(file, 0, HEADER);
  const start = checksumOfHeader(header);
  if (start === undefined) {
    return isAllZero(file, size) ? undefined : "its header is damaged, so no change in it is valid";
  }
  return examineFrames(file, size, header, start);
}

/** The checksum in a valid header. */
function checksumOfHeader(header: DataView): Checksum | undefined {
  const littleEndian = isLittleEndianLog(header.getUint32(0));
  const page = header.getUint32(8);
  const isPage = page >= MIN_PAGE && page <= MAX_PAGE && (page & (page - 1)) === 0;
  if (littleEndian === undefined || header.getUint32(4) !== VERSION || !isPage) return undefined;
  const sum = addToChecksum({ first: 0, second: 0 }, header, 0, 24, littleEndian);
  return isStoredAt(sum, header, 24) ? sum : undefined;
}

const isStoredAt = ({ first, second }: Checksum, view: DataView, at: number): boolean =>
  view.getUint32(at) === first && view.getUint32(at + 4) === second;

function examineFrames(
  file: number,
  size: number,
  header: DataView,
  start: Checksum,
): string | undefined {
  const littleEndian = isLittleEndianLog(header.getUint32(0)) ?? true;
  const length = FRAME_HEADER + header.getUint32(8);
  const count = Math.floor((size - HEADER) / length);
  const perChunk = Math.max(1, Math.floor(CHUNK / length));
  let sum: Checksum | undefined = start;
  let [firstBad, bad] = [0, 0];

  for (let from = 0; from < count; from += perChunk) {
    const frames = Math.min(perChunk, count - from);
    const chunk = readAt(file, HEADER + from * length, frames * length);
    for (let n = 0; n < frames; n += 1) {
      const at = n * length;
      const isCurrent =
        chunk.getUint32(at + 8) === header.getUint32(16) &&
        chunk.getUint32(at + 12) === header.getUint32(20);
      let isValid = false;
      if (sum !== undefined) {
        const half = addToChecksum(sum, chunk, at, 8, littleEndian);
        const whole = addToChecksum(
          half,
          chunk,
          at + FRAME_HEADER,
          length - FRAME_HEADER,
          littleEndian,
        );
        isValid = isStoredAt(whole, chunk, at + 16);
        // The checksum does not cover the salts: a frame that continues the log has lost them.
        sum = isValid && isCurrent ? whole : undefined;
      }
      if (sum === undefined && (isCurrent || isValid)) {
        if (bad === 0) firstBad = from + n + 1;
        bad += 1;
      }
    }
  }
  if (bad === 0) return undefined;
  const lost = bad === 1 ? "it" : `it and ${bad - 1} more`;
  return `frame ${firstBad} of ${count} is not valid, so SQLite ignores ${lost}`;
}

function isAllZero(file: number, size: number): boolean {
  for (let at = 0; at < size; at += CHUNK) {
    const { buffer } = readAt(file, at, Math.min(CHUNK, size - at));
    if (new Uint8Array(buffer).some((byte) => byte !== 0)) return false;
  }
  return true;
}

function readAt(file: number, position: number, length: number): DataView<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const read = readSync(file, bytes, done, length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return new DataView(bytes.buffer);
}
