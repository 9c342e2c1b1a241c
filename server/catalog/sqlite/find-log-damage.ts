import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/*
 * The write-ahead log, by https://www.sqlite.org/fileformat.html#walformat. SQLite reads it up to the
 * first frame that is not valid and silently ignores the rest, so one flipped bit loses every later
 * change. It also overwrites the log, so this must look at it before SQLite does.
 *
 * The salts of the header are in every frame that was written since the log was last reset. Frames with
 * other salts are from before. So a frame that is not valid, but has the current salts, is either
 * damaged or was being written when the machine stopped. A power cut leaves any of the last
 * transaction's blocks, but no block of it had to be there before its commit was synced. So these are
 * incomplete rather than damaged:
 *
 * - the end of the file within a frame, and frames without a commit behind them;
 * - the frames of one transaction of which a block was never written.
 *
 * Everything else counts as damage. That includes a last frame over older bytes whose end is missing: a
 * flipped bit in the last acknowledged change looks the same.
 */

const HEADER = 32;
const FRAME_HEADER = 24;
const VERSION = 3007000;
const MIN_PAGE = 512;
const MAX_PAGE = 65536;
/** File systems write whole blocks of this size, or multiples of it. */
const BLOCK = 4096;
/** The end of a page may be zeros, but seldom this many bytes. */
const MIN_UNWRITTEN = 64;
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

/** The cumulative checksum of a write-ahead log: two unsigned 32-bit sums. */
interface Checksum {
  readonly first: number;
  readonly second: number;
}

/** The byte order in which a log with this magic number is summed; undefined: no log has it. */
function isLittleEndianLog(magic: number): boolean | undefined {
  if (magic === 0x377f0682) return true;
  return magic === 0x377f0683 ? false : undefined;
}

/** Continues a checksum with `length` bytes, a multiple of 8. */
function addToChecksum(
  { first, second }: Checksum,
  view: DataView,
  start: number,
  length: number,
  littleEndian: boolean,
): Checksum {
  let [a, b] = [first, second];
  for (let at = start; at < start + length; at += 8) {
    a = (a + view.getUint32(at, littleEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, littleEndian) + a) >>> 0;
  }
  return { first: a, second: b };
}

const isStoredAt = ({ first, second }: Checksum, view: DataView, at: number): boolean =>
  view.getUint32(at) === first && view.getUint32(at + 4) === second;

/** A frame behind the last valid one. */
interface BadFrame {
  readonly number: number;
  /** It was written since the log was last reset. */
  readonly isCurrent: boolean;
  readonly isCommit: boolean;
  readonly isIncomplete: boolean;
}

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
  let canBeCommit = false;
  const behind: BadFrame[] = [];

  for (let from = 0; from < count; from += perChunk) {
    const frames = Math.min(perChunk, count - from);
    const chunk = readAt(file, HEADER + from * length, frames * length);
    for (let n = 0; n < frames; n += 1) {
      const frame = new DataView(chunk.buffer, n * length, length);
      const hasSalts =
        frame.getUint32(8) === header.getUint32(16) && frame.getUint32(12) === header.getUint32(20);
      let continues = false;
      if (sum !== undefined) {
        const next = checksumOfFrame(sum, frame, littleEndian);
        continues = isStoredAt(next, frame, 16);
        if (!continues) canBeCommit = wasCommit(sum, frame, littleEndian);
        // The checksum does not cover the salts: a frame that continues the log has lost them.
        sum = continues && hasSalts ? next : undefined;
      }
      if (sum !== undefined) continue;
      behind.push({
        number: from + n + 1,
        isCurrent: hasSalts || continues,
        isCommit: frame.getUint32(4) !== 0 || (behind.length === 0 && canBeCommit),
        isIncomplete: lacksBlock(frame, HEADER + (from + n) * length),
      });
    }
  }
  return describeLoss(behind, count);
}

/** What SQLite ignores; undefined: nothing that was acknowledged. */
function describeLoss(behind: readonly BadFrame[], count: number): string | undefined {
  const current = behind.filter(({ isCurrent }) => isCurrent);
  const [first, ...more] = current;
  const commits = current.filter(({ isCommit }) => isCommit);
  const [commit] = commits;
  if (first === undefined || commit === undefined) return undefined;
  // A transaction is synced before the next one is written.
  const isUnfinished =
    commits.length === 1 &&
    behind.some(
      ({ number, isCurrent, isIncomplete }) =>
        number <= commit.number && (isIncomplete || !isCurrent),
    );
  if (isUnfinished) return undefined;
  const lost = more.length === 0 ? "it" : `it and ${more.length} more`;
  return `frame ${first.number} of ${count} is not valid, so SQLite ignores ${lost}`;
}

function checksumOfFrame(sum: Checksum, frame: DataView, littleEndian: boolean): Checksum {
  const half = addToChecksum(sum, frame, 0, 8, littleEndian);
  return addToChecksum(half, frame, FRAME_HEADER, frame.byteLength - FRAME_HEADER, littleEndian);
}

/**
 * Whether a frame without the mark of a commit would be valid with it: the size of the catalog in
 * pages, of which a flipped bit can leave nothing when it is a power of two.
 */
function wasCommit(sum: Checksum, frame: DataView, littleEndian: boolean): boolean {
  if (frame.getUint32(4) !== 0) return false;
  const copy = new DataView(
    frame.buffer.slice(frame.byteOffset, frame.byteOffset + frame.byteLength),
  );
  return Array.from({ length: 32 }, (_, bit) => (1 << bit) >>> 0).some((pages) => {
    copy.setUint32(4, pages);
    return isStoredAt(checksumOfFrame(sum, copy, littleEndian), copy, 16);
  });
}

/** Whether the last block that the frame at `offset` reaches into was never written behind its start. */
function lacksBlock(frame: DataView, offset: number): boolean {
  const end = offset + frame.byteLength;
  const block = Math.floor((end - 1) / BLOCK) * BLOCK;
  const rest = new Uint8Array(frame.buffer, frame.byteOffset + Math.max(0, block - offset));
  const part = rest.subarray(0, end - Math.max(block, offset));
  return part.length >= MIN_UNWRITTEN && part.every((byte) => byte === 0);
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
