import type { BlobPiece, Blobs, BlobWriter } from "../../blobs/port.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { checkMaxUploadSize } from "../../domain/max-upload-size.ts";
import type { BlobId, Name } from "../../domain/records.ts";
import { waitBriefly } from "../wait-briefly.ts";
import type { BlobIdAllocator } from "./blob-id-allocator.ts";
import type { ContentSums } from "./content-hash.ts";
import type { SpaceClaim, SpaceGuard } from "./free-space.ts";
import type { UploadHashes } from "./upload-hashes.ts";

/**
 * Stores bytes apart from committing them: who stores a blob gives it a record with `commit` or
 * `commitFiles`, or discards it. Otherwise its block stays leased until the process ends.
 */
export interface BlobStorage {
  readonly blobIds: BlobIdAllocator;
  readonly space: SpaceGuard;
  /** Opens a blob, which the caller writes and seals. */
  open(): Promise<OpenBlob>;
  /**
   * Stores the bytes of a body. When it rejects, no blob is left behind. Faults: the error that `body` throws;
   * "no_space"; those of `checkMaxUploadSize`.
   */
  store(body: AsyncIterable<Uint8Array>, limits: StoreLimits): Promise<StoredBlob>;
  /**
   * Makes a blob of pieces of others, and seals it. `claim`: default is one of its own. Faults: "gone": a piece
   * is absent; "no_space".
   */
  assemble(pieces: readonly BlobPiece[], claim?: SpaceClaim): Promise<UncommittedBlob>;
  /** Removes blobs, or leaves them to the sweep if the store does not answer soon. Never throws. */
  discard(blobs: readonly UncommittedBlob[]): Promise<void>;
  /**
   * Discards blobs after the change of the catalog that would have given them records has failed with `error`. If
   * it may have been committed all the same, leaves them to the sweep, which asks the catalog. Never throws.
   */
  giveUp(blobs: readonly UncommittedBlob[], error: unknown): Promise<void>;
  /** Runs the change that gives sealed blobs their records, or gives them up. Faults: those of `change`. */
  commit<T>(blobs: readonly UncommittedBlob[], change: () => Promise<T>): Promise<T>;
  /**
   * Does the same for the contents of files, once they survive a power cut. Discards the blobs that are not among
   * those of the result. Faults: also those of storing the contents.
   */
  commitFiles<T>(
    blobs: readonly UncommittedBlob[],
    change: () => Promise<T>,
    blobsOf: (result: T) => readonly BlobId[],
  ): Promise<T>;
  /** Marks blobs as contents of files, after their records were committed in another way. */
  markFiles(ids: readonly BlobId[]): void;
}

/** A blob that has no record yet. */
export interface UncommittedBlob {
  readonly id: BlobId;
  /** undefined: the store has assembled it. */
  readonly writer: Pick<BlobWriter, "discard"> | undefined;
  /** Resolves once the bytes survive a power cut. undefined: they do, or the caller seals the blob. */
  readonly sealed?: Promise<void>;
}

export interface OpenBlob extends UncommittedBlob {
  readonly writer: BlobWriter;
}

export interface StoredBlob extends UncommittedBlob {
  readonly sums: ContentSums;
}

export interface StoreLimits {
  /** In bytes; 0: unknown. */
  readonly expected: number;
  /** See `checkMaxUploadSize`. */
  readonly max: number;
  readonly name?: Name;
  readonly claim: SpaceClaim;
}

export interface BlobStorageDeps {
  readonly blobs: Blobs;
  readonly blobIds: BlobIdAllocator;
  readonly space: SpaceGuard;
  readonly hashes: UploadHashes;
}

export function createBlobStorage({ blobs, blobIds, space, hashes }: BlobStorageDeps): BlobStorage {
  async function open(): Promise<OpenBlob> {
    const id = await blobIds.take();
    try {
      return { id, writer: await blobs.create(id) };
    } catch (error) {
      blobIds.markDiscarded(id);
      throw error;
    }
  }

  async function store(
    body: AsyncIterable<Uint8Array>,
    { expected, max, name, claim }: StoreLimits,
  ): Promise<StoredBlob> {
    const blob = await open();
    const { id, writer } = blob;
    const hash = hashes.create(expected === 0 ? undefined : expected);
    const write = (bytes: Uint8Array): Promise<void> => writer.write(bytes);
    try {
      let size = 0;
      for await (const chunk of body) {
        size += chunk.length;
        checkMaxUploadSize(size, max, name);
        await claim.write(chunk.length);
        await hash.update(chunk, write);
      }
      await hash.flush();
      const sealed = writer.seal();
      // `commitFiles` awaits it; until then a failure must not count as an unhandled rejection.
      sealed.catch(() => {});
      return { id, writer, sums: await hash.end(), sealed };
    } catch (error) {
      hash.drop();
      await discard([blob]);
      throw error;
    }
  }

  async function assemble(
    pieces: readonly BlobPiece[],
    given?: SpaceClaim,
  ): Promise<UncommittedBlob> {
    const size = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
    const claim = given ?? (await space.admit(size));
    try {
      await claim.write(size);
      const id = await blobIds.take();
      try {
        await blobs.assemble(
          id,
          pieces.filter(({ start, end }) => start < end),
        );
      } catch (error) {
        blobIds.markDiscarded(id);
        throw error;
      }
      return { id, writer: undefined };
    } finally {
      if (given === undefined) claim.release();
    }
  }

  function endRemoval(id: BlobId, isRemoved: boolean): void {
    if (isRemoved) blobIds.markDiscarded(id);
    else blobIds.markUnknown(id);
  }

  async function removeAssembled(ids: readonly BlobId[]): Promise<void> {
    const isRemoved = await blobs.remove(ids).then(
      () => true,
      () => false,
    );
    for (const id of ids) endRemoval(id, isRemoved);
  }

  async function discard(unused: readonly UncommittedBlob[]): Promise<void> {
    if (unused.length === 0) return;
    const assembled: BlobId[] = [];
    const removals: Promise<void>[] = [];
    for (const { id, writer } of unused) {
      if (writer === undefined) assembled.push(id);
      else removals.push(writer.discard().then((isRemoved) => endRemoval(id, isRemoved)));
    }
    if (assembled.length > 0) removals.push(removeAssembled(assembled));
    await waitBriefly(Promise.all(removals));
  }

  async function giveUp(unused: readonly UncommittedBlob[], error: unknown): Promise<void> {
    if (isRejection(error)) await discard(unused);
    else for (const { id } of unused) blobIds.markUnknown(id);
  }

  function markFiles(ids: readonly BlobId[]): void {
    for (const id of ids) blobIds.markCommitted(id);
    // No response waits for it: the record alone makes the file.
    void blobs.markCommitted(ids);
  }

  return {
    blobIds,
    space,
    open,
    store,
    assemble,
    discard,
    giveUp,
    markFiles,

    async commit(stored, change) {
      try {
        const result = await change();
        for (const { id } of stored) blobIds.markCommitted(id);
        return result;
      } catch (error) {
        await giveUp(stored, error);
        throw error;
      }
    },

    async commitFiles(stored, change, blobsOf) {
      let result: Awaited<ReturnType<typeof change>>;
      try {
        await Promise.all(stored.map(({ sealed }) => sealed));
      } catch (error) {
        await discard(stored);
        throw error;
      }
      try {
        result = await change();
      } catch (error) {
        await giveUp(stored, error);
        throw error;
      }
      const kept = new Set(blobsOf(result));
      markFiles(stored.map(({ id }) => id).filter((id) => kept.has(id)));
      await discard(stored.filter(({ id }) => !kept.has(id)));
      return result;
    },
  };
}

/** Whether the catalog rejected the change, so that it cannot have been committed. */
export const isRejection = (error: unknown): boolean =>
  error instanceof Fault && error.kind !== "unavailable";
