import { blockOf, positionOf } from "../../rules/blob-id.ts";
import type { BlobId } from "../../rules/records.ts";

/**
 * Knows which ids of a block are taken. A block belongs to one process at a time, so that what was
 * there when it came to the block, and what it has written since, is all.
 */
export interface TakenIds {
  /** Takes the id. Error: it is taken. */
  take(id: BlobId): Promise<void>;
  giveBack(id: BlobId): void;
}

/** A process seldom writes to more than two blocks at once. */
const MOST_BLOCKS = 64;

/** `list` gives what is there in a block. */
export function createTakenIds(list: (block: number) => Promise<readonly BlobId[]>): TakenIds {
  const blocks = new Map<number, Promise<Set<number>>>();

  function look(block: number): Promise<Set<number>> {
    const known = blocks.get(block);
    if (known !== undefined) return known;
    const found = list(block).then((ids) => new Set(ids.map(positionOf)));
    blocks.set(block, found);
    found.catch(() => blocks.delete(block));
    const [oldest] = blocks.keys();
    if (blocks.size > MOST_BLOCKS && oldest !== undefined) blocks.delete(oldest);
    return found;
  }

  return {
    async take(id) {
      const taken = await look(blockOf(id));
      if (taken.has(positionOf(id))) throw new Error(`The blob ${id} is there already.`);
      taken.add(positionOf(id));
    },
    giveBack(id) {
      void blocks.get(blockOf(id))?.then(
        (taken) => taken.delete(positionOf(id)),
        () => {},
      );
    },
  };
}
