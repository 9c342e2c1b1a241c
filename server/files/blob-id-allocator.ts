import type { BlobLedger } from "../catalog/port.ts";
import { LEASE_SECONDS } from "../catalog/port.ts";
import { BLOCK_SIZE, blobId, blockOf } from "../rules/blob-id.ts";
import type { BlobId } from "../rules/records.ts";
import type { SweepBlock } from "./sweep.ts";

/**
 * Hands out blob ids from leased blocks, so that an upload costs no transaction for its ids, and
 * whatever a dead process left behind lies in the few blocks that it had leased.
 */
export interface BlobIdAllocator {
  /** Whose leases these are, for `addFiles`. */
  readonly owner: string;
  /** The next unused id, of a block that is leased. */
  take(): Promise<BlobId>;
  /** The blob belongs to a committed file. */
  markCommitted(id: BlobId): void;
  /** The blob was discarded, or never written. The sweep of its block makes the removal durable. */
  markDiscarded(id: BlobId): void;
  /** It is unknown whether the blob belongs to a file: the sweep of its block asks the catalog. */
  markUnknown(id: BlobId): void;
  /**
   * Waits a moment for uploads under way to end, then gives the leases back. A block of an upload
   * that has not ended even then stays leased, and the next start sweeps it.
   */
  close(): Promise<void>;
}

/** How long `close` waits for uploads whose connections have been cut. */
const PATIENCE_MS = 3000;

interface Block {
  readonly number: number;
  next: number;
  inFlight: number;
  /** Whether it must be swept: something in it is not a file's. */
  unclean: boolean;
  doubtful: boolean;
}

export interface BlobIdAllocatorParts {
  readonly ledger: BlobLedger;
  readonly sweepBlock: SweepBlock;
  /** Whose leases they are to be: a name that nobody else bears. */
  readonly owner: string;
  readonly onError: (message: string, cause: unknown) => void;
}

export function createBlobIdAllocator({
  ledger,
  sweepBlock,
  owner,
  onError,
}: BlobIdAllocatorParts): BlobIdAllocator {
  const blocks = new Map<number, Block>();
  const retiring = new Set<Promise<void>>();
  let current: Block | undefined;
  let leasing: Promise<Block> | undefined;

  const keepAlive = setInterval(
    () => {
      if (blocks.size === 0) return;
      ledger
        .renewLeases(owner, [...blocks.keys()])
        .catch((cause) => onError("Leases were not renewed", cause));
    },
    (LEASE_SECONDS * 1000) / 5,
  );
  keepAlive.unref();

  async function lease(): Promise<Block> {
    const number = await ledger.leaseBlock(owner);
    const block = { number, next: 0, inFlight: 0, unclean: false, doubtful: false };
    blocks.set(number, block);
    return block;
  }

  function retire(block: Block): void {
    blocks.delete(block.number);
    const closing = close(block).finally(() => retiring.delete(closing));
    retiring.add(closing);
  }

  async function close(block: Block): Promise<void> {
    try {
      if (!block.unclean) return await ledger.endLease(block.number);
      // A commit that failed may still come to light: until it cannot any more, nobody may say that
      // the blobs are no files'.
      if (block.doubtful) await ledger.releaseLease(block.number);
      await sweepBlock(block.number);
    } catch (cause) {
      onError("A block of blobs was not closed; the next sweep does it", cause);
      // Nobody has to wait for the lease to lapse, as it does when this fails as well.
      await ledger.releaseLease(block.number).catch(() => {});
    }
  }

  function release(id: BlobId, outcome: "stored" | "dropped" | "doubtful"): void {
    const block = blocks.get(blockOf(id));
    if (block === undefined) return;
    block.inFlight -= 1;
    block.unclean ||= outcome !== "stored";
    block.doubtful ||= outcome === "doubtful";
    // A doubt may mean that the lease is lost, so the block is not used any further.
    if (block === current && (block.doubtful || block.next === BLOCK_SIZE)) current = undefined;
    if (block.inFlight === 0 && block !== current) retire(block);
  }

  return {
    owner,
    async take() {
      while (current === undefined || current.next === BLOCK_SIZE) {
        leasing ??= lease().finally(() => {
          leasing = undefined;
        });
        const fresh = await leasing;
        if (fresh.next === BLOCK_SIZE || fresh.doubtful || !blocks.has(fresh.number)) continue;
        if (current !== fresh) {
          const spent = current;
          current = fresh;
          if (spent !== undefined && spent.inFlight === 0) retire(spent);
        }
      }
      const id = blobId(current.number, current.next);
      current.next += 1;
      current.inFlight += 1;
      return id;
    },
    markCommitted: (id) => release(id, "stored"),
    markDiscarded: (id) => release(id, "dropped"),
    markUnknown: (id) => release(id, "doubtful"),
    async close() {
      clearInterval(keepAlive);
      current = undefined;
      const idle = [...blocks.values()].filter((block) => block.inFlight === 0);
      for (const block of idle) retire(block);
      const patience = performance.now() + PATIENCE_MS;
      while (blocks.size > 0 && performance.now() < patience) await Bun.sleep(20);
      await Promise.all(retiring);
    },
  };
}
