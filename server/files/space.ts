import type { Blobs } from "../blobs/port.ts";
import { Fault } from "../rules/fault.ts";

/** Keeps a reserve of the volume free during concurrent uploads. */
export interface SpaceGuard {
  /**
   * Claims space for an upload of this size (0: unknown). Fault "no_space": it does not fit next to the
   * uploads in progress and the reserve.
   */
  admit(expected: number): Promise<SpaceClaim>;
}

export interface SpaceClaim {
  /** Call this before writing more bytes. undefined: within the claim. Fault "no_space" as above. */
  write(bytes: number): Promise<void> | undefined;
  release(): void;
}

/** An upload of unknown length extends its claim by this, if there is plenty of free space. */
const STEP = 32 * 1024 * 1024;
/** Free space for this many steps is plenty. */
const PLENTY_STEPS = 16;

/**
 * `reserve` in bytes, read for each check. `owed` are bytes that are free only until their owner
 * reclaims them: see `Volume` of the catalog.
 */
export function createSpaceGuard(
  blobs: Blobs,
  reserve: () => number,
  owed: () => number = () => 0,
): SpaceGuard {
  /** Bytes that are claimed by uploads and not yet written. */
  let claimed = 0;

  /** Claims `bytes`, or `wanted` if there is plenty. Returns how many it has claimed. */
  async function claim(bytes: number, wanted = bytes): Promise<number> {
    const free = (await blobs.freeSpace()) ?? Number.POSITIVE_INFINITY;
    const room = free - owed() - reserve() - claimed;
    if (bytes > room) {
      throw new Fault("no_space", "Not enough free space on the volume for this upload.");
    }
    const granted = wanted < room / PLENTY_STEPS ? wanted : bytes;
    claimed += granted;
    return granted;
  }

  return {
    async admit(expected) {
      await claim(expected);
      let left = expected;

      const extend = async (bytes: number): Promise<void> => {
        left += await claim(bytes, Math.max(bytes, STEP));
        left -= bytes;
        claimed -= bytes;
      };

      return {
        write(bytes) {
          if (owed() > 0) {
            // The catalog has used the claimed space, so the rest of the claim is void.
            claimed -= left;
            left = 0;
          }
          if (bytes > left) return extend(bytes);
          left -= bytes;
          claimed -= bytes;
          return undefined;
        },
        release() {
          claimed -= left;
          left = 0;
        },
      };
    },
  };
}
