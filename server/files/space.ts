import type { Blobs } from "../blobs/port.ts";
import { Fault } from "../rules/fault.ts";

/** Keeps a reserve of the volume free, whatever is uploaded at the same time. */
export interface SpaceGuard {
  /**
   * Announces an upload of so many bytes (0: unknown). Fault "no_space": it does not fit beside
   * the uploads under way and the reserve.
   */
  admit(expected: number): Promise<SpaceClaim>;
}

export interface SpaceClaim {
  /** To be called before so many further bytes are written. Fault "no_space", as above. */
  write(bytes: number): Promise<void> | undefined;
  release(): void;
}

/** An upload of unknown length asks again after so many bytes, where there is plenty of room. */
const STEP = 32 * 1024 * 1024;
/** Room for so many steps is plenty. */
const PLENTY = 16;

/**
 * `reserve` in bytes, asked again for each look at the volume. `owed` are bytes that are free only
 * until their owner takes them back: see the catalog's `Volume`.
 */
export function createSpaceGuard(
  blobs: Blobs,
  reserve: () => number,
  owed: () => number = () => 0,
): SpaceGuard {
  /** Bytes that were promised to uploads under way and are not yet written. */
  let promised = 0;

  /** Promises `bytes`, or `wished` where there is plenty. Returns how much it was. */
  async function promise(bytes: number, wished = bytes): Promise<number> {
    const free = (await blobs.freeSpace()) ?? Number.POSITIVE_INFINITY;
    const room = free - owed() - reserve() - promised;
    if (bytes > room) {
      throw new Fault("no_space", "Not enough free space on the volume for this upload.");
    }
    const granted = wished < room / PLENTY ? wished : bytes;
    promised += granted;
    return granted;
  }

  return {
    async admit(expected) {
      await promise(expected);
      let left = expected;

      const extend = async (bytes: number): Promise<void> => {
        left += await promise(bytes, Math.max(bytes, STEP));
        left -= bytes;
        promised -= bytes;
      };

      return {
        write(bytes) {
          if (owed() > 0) {
            // The room for what was promised was taken by others, so nothing that is left is sure.
            promised -= left;
            left = 0;
          }
          if (bytes > left) return extend(bytes);
          left -= bytes;
          promised -= bytes;
          return undefined;
        },
        release() {
          promised -= left;
          left = 0;
        },
      };
    },
  };
}
