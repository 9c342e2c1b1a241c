import type { BlobCopy, CopyOutcome, CopySource } from "../../catalog/port/copies.ts";
import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { BlobId } from "../../domain/records.ts";
import { forEachConcurrently } from "../../lib/for-each-concurrently.ts";
import type { BlobStorage, UncommittedBlob } from "../upload/blob-storage.ts";
import type { SpaceClaim } from "../upload/free-space.ts";

export interface CopyBlobsDeps {
  readonly storage: BlobStorage;
  /** Shared by all copies. */
  readonly inSlot: InSlot;
}

/** Runs work when one of a number of slots is free, in the order of the calls. */
type InSlot = <T>(work: () => Promise<T>) => Promise<T>;

export function createSlots(count: number): InSlot {
  let free = count;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

export interface CopyControl {
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Called before the change, which may come long after the request. It may throw. */
  readonly beforeCommit: () => Promise<void>;
}

/** Blobs of one copy that are copied at a time. */
const CONCURRENCY = 4;
/** Each round copies only what has changed since the one before. */
const MAX_ROUNDS = 10;

/**
 * Makes a change that needs copies of blobs. `commit` gets the finished copies, at first none, and
 * returns which contents are missing; they are copied durably, and it is called again, until it succeeds. If it
 * does not, all copies are removed. Faults: those of `commit`; "no_space"; "conflict": the files change
 * all the time; "unavailable": the content of a file is lost.
 */
export async function copyBlobs<T>(
  { storage, inSlot }: CopyBlobsDeps,
  commit: (copies: readonly BlobCopy[]) => Promise<CopyOutcome<T>>,
  control: CopyControl | undefined,
): Promise<T> {
  const copies = new Map<BlobId, UncommittedBlob>();
  const lost = new Set<BlobId>();

  async function copyOne({ blobId: from, size }: CopySource, claim: SpaceClaim): Promise<void> {
    try {
      copies.set(from, await storage.assemble([{ blobId: from, start: 0, end: size }], claim));
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== "gone") throw error;
      // The file was replaced or deleted, unless `commit` wants it again.
      if (lost.has(from)) throw lostContent(error);
      lost.add(from);
    }
  }

  async function copyAll(sources: readonly CopySource[]): Promise<void> {
    const claim = await storage.space.admit(sources.reduce((sum, { size }) => sum + size, 0));
    try {
      await forEachConcurrently(sources, CONCURRENCY, (source) =>
        inSlot(async () => {
          if (control?.signal.aborted) throw clientGone();
          await copyOne(source, claim);
        }),
      );
    } finally {
      claim.release();
    }
  }

  let isCommitting = false;
  try {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      if (copies.size > 0) await control?.beforeCommit();
      isCommitting = true;
      const outcome = await commit([...copies].map(([from, { id: to }]) => ({ from, to })));
      isCommitting = false;
      if ("copied" in outcome) {
        storage.markFiles([...copies.values()].map(({ id }) => id));
        return outcome.copied;
      }
      await copyAll(outcome.missing);
    }
    throw new Fault("conflict", "The files kept changing while they were copied. Try again.");
  } catch (error) {
    const unused = [...copies.values()];
    await (isCommitting ? storage.giveUp(unused, error) : storage.discard(unused));
    throw error;
  }
}

const clientGone = (): ConnectionClosed =>
  new ConnectionClosed("The connection closed before everything was copied.");

const lostContent = (cause: unknown): Fault =>
  new Fault(
    "unavailable",
    "The stored content of a file is missing, so nothing was copied. It has to be restored or uploaded again.",
    { cause },
  );
