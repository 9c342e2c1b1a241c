import type { Blobs } from "../../blobs/port.ts";
import { Fault } from "../../domain/faults/fault.ts";

/** Keeps reserved space on the volume free during concurrent uploads. */
export interface SpaceGuard {
  /**
   * Claims space for an upload of this size; 0: unknown. `isPromised`: an open upload has declared these
   * bytes, so `room` does not count them. Fault "no_space": it does not fit, given the reserve and the
   * uploads in progress.
   */
  admit(expected: number, isPromised?: boolean): Promise<SpaceClaim>;
  /** Bytes for open uploads, including those that they have declared and not received. */
  room(): Promise<number>;
}

export interface SpaceClaim {
  /** Call this before writing more bytes. undefined: the claim covers them. Fault "no_space" as above. */
  write(bytes: number): Promise<void> | undefined;
  release(): void;
}

/** An upload of unknown size extends its claim by this, if there is plenty of free space. */
const STEP = 32 * 1024 * 1024;
/** Plenty of free space is room for this many steps. */
const PLENTY_STEPS = 16;
/** With this much room, a measurement is used again: other programs do not fill it in that time. */
const AMPLE_BYTES = 4 * 1024 ** 3;
const MEASURED_FOR_MS = 500;

/**
 * `reserve` in bytes, read for each check. `owed` are bytes that are free now but must be given back:
 * see `missingReserve` of the catalog.
 */
export function createSpaceGuard(
  blobs: Blobs,
  reserve: () => number,
  owed: () => number = () => 0,
): SpaceGuard {
  /** Bytes that uploads have claimed and not yet written. */
  let claimed = 0;
  /** The bytes among them that open uploads have declared. */
  let promised = 0;
  let measured = { free: 0, at: Number.NEGATIVE_INFINITY };
  /** Bytes that uploads have written since the start of that measurement. */
  let writtenSince = 0;

  const roomIn = (free: number): number => free - owed() - reserve() - claimed;

  /** In bytes. Uploads are many, and a measurement occupies a thread. */
  async function freeSpace(): Promise<number> {
    if (performance.now() < measured.at + MEASURED_FOR_MS) {
      const estimated = measured.free - writtenSince;
      if (roomIn(estimated) > AMPLE_BYTES) return estimated;
    }
    const at = performance.now();
    writtenSince = 0;
    const free = (await blobs.freeSpace()) ?? Number.POSITIVE_INFINITY;
    measured = { free, at };
    return free;
  }

  const room = async (): Promise<number> => roomIn(await freeSpace());

  /** Claims `bytes`, or `wanted` if there is plenty of space. Returns the claimed number. */
  async function claim(bytes: number, wanted = bytes): Promise<number> {
    const left = await room();
    if (bytes > left) {
      throw new Fault("no_space", "Not enough free space on the volume for this upload.");
    }
    const granted = wanted < left / PLENTY_STEPS ? wanted : bytes;
    claimed += granted;
    return granted;
  }

  return {
    room: async () => (await room()) + promised,
    async admit(expected, isPromised = false) {
      let left = 0;

      async function take(bytes: number, wanted?: number): Promise<void> {
        const granted = await claim(bytes, wanted);
        left += granted;
        if (isPromised) promised += granted;
      }

      function give(bytes: number): void {
        left -= bytes;
        claimed -= bytes;
        if (isPromised) promised -= bytes;
      }

      async function extend(bytes: number): Promise<void> {
        await take(bytes, Math.max(bytes, STEP));
        give(bytes);
      }

      await take(expected);

      return {
        write(bytes) {
          writtenSince += bytes;
          // The catalog has used the claimed space, so the rest of the claim is void.
          if (owed() > 0) give(left);
          if (bytes > left) return extend(bytes);
          give(bytes);
          return undefined;
        },
        release() {
          give(left);
        },
      };
    },
  };
}
