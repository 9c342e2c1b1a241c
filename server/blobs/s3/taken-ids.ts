import { blockOf, positionOf } from "../../domain/blob-id.ts";
import type { BlobId } from "../../domain/records.ts";
import { createTwoGenerationCache } from "../../lib/two-generation-cache.ts";

/**
 * Keeps track of the taken ids of each block, so that no object is overwritten. Only one process leases
 * a block at a time, so one listing plus the ids that this process takes afterwards are complete.
 */
export interface TakenIds {
  /** Takes the id. Error: it is already taken. */
  take(id: BlobId): Promise<void>;
  release(id: BlobId): void;
}

/** A process seldom writes to more than two blocks at a time. */
const MAX_BLOCKS = 128;

/** `list` returns the ids in the store. */
export function createTakenIds(list: (block: number) => Promise<readonly BlobId[]>): TakenIds {
  const blocks = createTwoGenerationCache<number, Promise<Set<number>>>(MAX_BLOCKS);

  function takenIn(block: number): Promise<Set<number>> {
    const cached = blocks.get(block);
    if (cached !== undefined) return cached;
    const taken = list(block).then((ids) => new Set(ids.map(positionOf)));
    blocks.set(block, taken, 1);
    taken.catch(() => blocks.delete(block));
    return taken;
  }

  return {
    async take(id) {
      const taken = await takenIn(blockOf(id));
      if (taken.has(positionOf(id))) throw new Error(`The blob ${id} exists already.`);
      taken.add(positionOf(id));
    },
    release(id) {
      void blocks.get(blockOf(id))?.then(
        (taken) => taken.delete(positionOf(id)),
        () => {},
      );
    },
  };
}
