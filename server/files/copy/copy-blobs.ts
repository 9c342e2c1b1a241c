import type { Blobs } from "../../blobs/port.ts";
import type { BlobCopy, CopyOutcome, CopySource } from "../../catalog/port/copies.ts";
import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { BlobId } from "../../domain/records.ts";
import { forEachConcurrently } from "../../lib/for-each-concurrently.ts";
import { isRejection } from "../upload/begin-upload.ts";
import type { BlobIdAllocator } from "../upload/blob-id-allocator.ts";
import type { SpaceGuard } from "../upload/space.ts";
import { waitBriefly } from "../wait-briefly.ts";

export interface CopyBlobsDeps {
  readonly blobs: Blobs;
  readonly blobIds: BlobIdAllocator;
  readonly space: SpaceGuard;
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
  { blobs, blobIds, space, inSlot }: CopyBlobsDeps,
  commit: (copies: readonly BlobCopy[]) => Promise<CopyOutcome<T>>,
  control: CopyControl | undefined,
): Promise<T> {
  const copies = new Map<BlobId, BlobId>();
  const lost = new Set<BlobId>();

  async function copyOne({ blobId: from, size }: CopySource): Promise<void> {
    const to = await blobIds.take();
    try {
      await blobs.assemble(to, size === 0 ? [] : [{ blobId: from, start: 0, end: size }]);
      copies.set(from, to);
    } catch (error) {
      blobIds.markDiscarded(to);
      if (!(error instanceof Fault) || error.kind !== "gone") throw error;
      // The file was replaced or deleted, unless `commit` wants it again.
      if (lost.has(from)) throw lostContent(error);
      lost.add(from);
    }
  }

  async function copyAll(sources: readonly CopySource[]): Promise<void> {
    const claim = await space.admit(sources.reduce((sum, { size }) => sum + size, 0));
    try {
      await forEachConcurrently(sources, CONCURRENCY, (source) =>
        inSlot(async () => {
          if (control?.signal.aborted) throw clientGone();
          await claim.write(source.size);
          await copyOne(source);
        }),
      );
    } finally {
      claim.release();
    }
  }

  const discard = (): Promise<void> => waitBriefly(removeCopies());

  async function removeCopies(): Promise<void> {
    const ids = [...copies.values()];
    const isRemoved = await blobs.remove(ids).then(
      () => true,
      () => false,
    );
    for (const id of ids) {
      if (isRemoved) blobIds.markDiscarded(id);
      else blobIds.markUnknown(id);
    }
  }

  /** undefined: files have changed, and the missing copies were made. */
  async function attempt(): Promise<{ copied: T } | undefined> {
    if (copies.size > 0) await control?.beforeCommit();
    const list = [...copies].map(([from, to]) => ({ from, to }));
    const outcome = await commit(list).catch((error: unknown) => {
      throw isRejection(error) ? error : new UnknownOutcome(error);
    });
    if ("copied" in outcome) return outcome;
    await copyAll(outcome.missing);
    return undefined;
  }

  try {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const done = await attempt();
      if (done === undefined) continue;
      const ids = [...copies.values()];
      for (const id of ids) blobIds.markCommitted(id);
      // No response waits for it: the records alone make the files.
      void blobs.markCommitted(ids);
      return done.copied;
    }
    throw new Fault("conflict", "The files kept changing while they were copied. Try again.");
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) {
      await discard();
      throw error;
    }
    for (const id of copies.values()) blobIds.markUnknown(id);
    throw error.cause;
  }
}

/** The change may have been committed. */
class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super("It is unknown whether the change was committed.", { cause });
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
