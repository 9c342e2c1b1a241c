import { crc32 } from "node:zlib";

/** The CRC-32 of a growing content, also at earlier positions where a store may have made it durable. */
export interface ChecksumTrail {
  add(chunk: Uint8Array): void;
  /** The CRC-32 of all bytes. */
  readonly current: number;
  /** Remembers the current position. */
  mark(): void;
  /**
   * The CRC-32 of the bytes before a position that was marked, or that is a multiple of `STEP`;
   * undefined: unknown.
   */
  at(position: number): number | undefined;
  /** Forgets the positions before this one. */
  forgetBefore(position: number): void;
}

/** The parts of a multipart upload are multiples of this. */
const STEP = 8 * 1024 * 1024;

export function createChecksumTrail(start: number, checksum: number): ChecksumTrail {
  let position = start;
  let current = checksum;
  const marks = new Map([[start, checksum]]);

  return {
    add(chunk) {
      for (let done = 0; done < chunk.length; ) {
        const end = Math.min(chunk.length, done + STEP - (position % STEP));
        current = crc32(chunk.subarray(done, end), current);
        position += end - done;
        done = end;
        if (position % STEP === 0) marks.set(position, current);
      }
    },
    get current() {
      return current;
    },
    mark: () => void marks.set(position, current),
    at: (wanted) => marks.get(wanted),
    forgetBefore(limit) {
      for (const each of marks.keys()) if (each < limit) marks.delete(each);
    },
  };
}
