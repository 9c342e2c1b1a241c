import type { BlobLedger } from "../../catalog/port/blob-ledger.ts";
import { LEASE_SECONDS } from "../../catalog/port/blob-ledger.ts";
import { BLOCK_SIZE, blobId, blockOf } from "../../domain/blob-id.ts";
import type { BlobId } from "../../domain/records.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { Sweep } from "../sweep.ts";

/**
 * Allocates blob ids from leased blocks. So an upload needs no transaction for its ids, and the
 * orphaned blobs of a dead process are all in the few blocks that it had leased.
 */
export interface BlobIdAllocator {
  /** The owner of the leases, for `addFiles`. */
  readonly owner: string;
  /** The next unused id of a leased block. */
  take(): Promise<BlobId>;
  /** The blob belongs to a committed file. */
  markCommitted(id: BlobId): void;
  /** The blob was discarded, or never written. The sweep of its block makes the removal durable. */
  markDiscarded(id: BlobId): void;
  /** It is unknown whether the blob belongs to a file: the sweep of its block asks the catalog. */
  markUnknown(id: BlobId): void;
  /**
   * Waits up to 3 seconds for uploads in progress, then releases the leases. A block with an unfinished
   * upload stays leased, and the next start sweeps it.
   */
  close(): Promise<void>;
}

/** Enough for uploads whose connections have been closed. */
const CLOSE_TIMEOUT_MS = 3000;

interface Block {
  readonly number: number;
  next: number;
  inFlight: number;
  /** The block may have orphaned blobs. */
  needsSweep: boolean;
  /** The block has a blob whose commit may or may not have happened. */
  hasUnknown: boolean;
}

export interface BlobIdAllocatorDeps {
  readonly ledger: BlobLedger;
  readonly sweepBlock: Sweep["block"];
  /** The owner of the leases: unique among all processes. */
  readonly owner: string;
  readonly onError: (message: string, cause: unknown) => void;
}

export function createBlobIdAllocator({
  ledger,
  sweepBlock,
  owner,
  onError,
}: BlobIdAllocatorDeps): BlobIdAllocator {
  const blocks = new Map<number, Block>();
  const retiring = new Set<Promise<void>>();
  let current: Block | undefined;
  let leasing: Promise<Block> | undefined;

  const keepAlive = setInterval(
    () => {
      if (blocks.size === 0) return;
      ledger
        .renewLeases(owner, [...blocks.keys()])
        .catch((cause) => onError("Could not renew the leases of blob blocks", cause));
    },
    (LEASE_SECONDS * 1000) / 5,
  );
  keepAlive.unref();

  async function lease(): Promise<Block> {
    const number = await ledger.leaseBlock(owner);
    const block = { number, next: 0, inFlight: 0, needsSweep: false, hasUnknown: false };
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
      if (!block.needsSweep) return await ledger.endLease(block.number);
      // A commit that seemed to fail may still happen, but not once the lease is released. Then the
      // sweep sees the final state.
      if (block.hasUnknown) await ledger.releaseLease(block.number);
      await sweepBlock(block.number);
    } catch (cause) {
      onError("A blob block could not be closed; the next sweep will retry", cause);
      // The next sweep need not wait for the lease to expire, unless this fails too.
      await ledger.releaseLease(block.number).catch(() => {});
    }
  }

  function release(id: BlobId, outcome: "committed" | "discarded" | "unknown"): void {
    const block = blocks.get(blockOf(id));
    if (block === undefined) return;
    block.inFlight -= 1;
    block.needsSweep ||= outcome !== "committed";
    block.hasUnknown ||= outcome === "unknown";
    // After an unknown outcome the lease may be lost, so the block is no longer used.
    if (block === current && (block.hasUnknown || block.next === BLOCK_SIZE)) current = undefined;
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
        if (fresh.next === BLOCK_SIZE || fresh.hasUnknown || !blocks.has(fresh.number)) continue;
        if (current !== fresh) {
          const previous = current;
          current = fresh;
          if (previous !== undefined && previous.inFlight === 0) retire(previous);
        }
      }
      const id = blobId(current.number, current.next);
      current.next += 1;
      current.inFlight += 1;
      return id;
    },
    markCommitted: (id) => release(id, "committed"),
    markDiscarded: (id) => release(id, "discarded"),
    markUnknown: (id) => release(id, "unknown"),
    async close() {
      clearInterval(keepAlive);
      current = undefined;
      const idle = [...blocks.values()].filter((block) => block.inFlight === 0);
      for (const block of idle) retire(block);
      const deadline = performance.now() + CLOSE_TIMEOUT_MS;
      while (blocks.size > 0 && performance.now() < deadline) await sleep(20);
      await Promise.all(retiring);
    },
  };
}
