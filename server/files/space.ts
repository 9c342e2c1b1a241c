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

/** An upload of unknown length asks again after so many bytes. */
const STEP = 32 * 1024 * 1024;

export function createSpaceGuard(blobs: Blobs, reserve: number): SpaceGuard {
  /** Bytes that were promised to uploads under way and are not yet written. */
  let promised = 0;

  async function promise(bytes: number): Promise<void> {
    const free = await blobs.freeSpace();
    if (free !== null && free - promised - bytes < reserve) {
      throw new Fault("no_space", "Not enough free space on the volume for this upload.");
    }
    promised += bytes;
  }

  return {
    async admit(expected) {
      await promise(expected);
      let left = expected;

      const extend = async (bytes: number): Promise<void> => {
        await promise(STEP);
        left += STEP - bytes;
        promised -= bytes;
      };

      return {
        write(bytes) {
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
