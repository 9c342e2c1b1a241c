import type { GrowingBlob } from "../blobs/port.ts";
import type { UploadProgress } from "../catalog/port/uploads.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { UploadRecord } from "../domain/uploads.ts";
import type { ContentSums } from "../files/upload/content-hash.ts";
import type { UploadHash } from "../files/upload/threaded-hashes.ts";
import { createChecksumTrail } from "./checksum-trail.ts";
import type { UploadsDeps } from "./deps.ts";
import type { HashCache } from "./hash-cache.ts";
import type { HeldClaims } from "./held-claims.ts";
import { lostClaim } from "./keep-claim.ts";
import type { KeptBlobs } from "./kept-blobs.ts";
import type { AppendPlan } from "./plan-append.ts";
import { rereadContent } from "./reread-content.ts";
import type { RunningWriter } from "./running-writers.ts";
import { copyTail, storeTail } from "./tail.ts";
import { damagedUpload } from "./upload-faults.ts";

/** The bytes of an upload while a request appends to them. */
export interface Ingest {
  /** All bytes until now; those after the last `save` may be lost. */
  readonly offset: number;
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Makes all bytes durable, records it, and releases the upload or holds its claim; the last step.
   * Returns the recorded offset. Faults: same as `lostClaim`.
   */
  save(): Promise<number>;
  /** The sums of all bytes, before the blob is complete; undefined: only `seal` can find them. */
  sums(): Promise<ContentSums | undefined>;
  /** Makes the blob complete and durable. Faults: `LostBytes`; "unavailable": it could not be read. */
  seal(): Promise<ContentSums>;
  /** Whether `save` has released the upload for the next writer, or holds its claim. */
  readonly isReleased: boolean;
  /** Ends the work without saving. To be called at the end, whatever happened. */
  close(): Promise<void>;
}

export interface IngestDeps extends Pick<UploadsDeps, "catalog" | "blobs" | "storage"> {
  readonly hashCache: HashCache;
  readonly heldClaims: HeldClaims;
  readonly keptBlobs: KeptBlobs;
  readonly expiryMs: number;
}

export interface IngestInput {
  readonly upload: UploadRecord;
  readonly epoch: number;
  readonly plan: AppendPlan;
  readonly writer: RunningWriter;
  /** Whether bytes may be recorded before the request ends. */
  readonly savesMeanwhile: boolean;
}

const SAVE_BYTES = 16 * 1024 * 1024;
const SAVE_MS = 2000;

/** Opens the blob of an upload at its offset. Faults: `LostBytes`; "unavailable". */
export async function openIngest(deps: IngestDeps, input: IngestInput): Promise<Ingest> {
  const { catalog, blobs, storage, hashCache, heldClaims, keptBlobs } = deps;
  const { upload, epoch, plan, writer } = input;
  const { id } = upload;
  const blob = keptBlobs.take(id, upload.offset) ?? (await openBlob(blobs, upload));
  const trail = createChecksumTrail(upload.offset, upload.checksum);
  let hash: UploadHash | undefined = hashCache.take(id, upload.offset);
  if (upload.offset === 0) hash ??= storage.hashes.create(plan.end);
  let { offset } = upload;
  let savedOffset = offset;
  let savedAt = performance.now();
  let saving: Promise<void> | undefined;
  let isWriter = true;
  /** Whether the store needs nothing but the offset to continue: a disk. */
  let canKeep = false;
  let isReleased = false;

  async function store(bytes: Uint8Array): Promise<void> {
    trail.add(bytes);
    await blob.write(bytes);
  }

  /** Faults: same as `lostClaim`. */
  async function record(progress: Progress, isLast = false): Promise<void> {
    const isSaved = await catalog.saveUpload({
      id,
      epoch,
      ...progress,
      release: isLast && !heldClaims.canHold ? true : undefined,
      expiresAt: Math.max(upload.expiresAt, catalog.now() + deps.expiryMs),
      length: plan.length ?? undefined,
      ...(upload.name === null ? { name: plan.name } : {}),
      ...(upload.name === null && plan.contentType !== null
        ? { contentType: plan.contentType }
        : {}),
    });
    if (!isSaved) {
      isWriter = false;
      throw await lostClaim(catalog, id);
    }
    savedOffset = progress.offset;
    isReleased = isLast;
    if (isLast && heldClaims.canHold) heldClaims.hold(id, epoch);
    trail.forgetBefore(savedOffset);
  }

  /** Records what the store has made durable by itself. */
  async function saveStored(): Promise<void> {
    await hash?.flush();
    trail.mark();
    const { stored, growth } = await blob.checkpoint();
    const checksum = trail.at(stored);
    if (stored <= savedOffset || checksum === undefined) return;
    await record({ offset: stored, checksum, growth, tailBlobId: null, tailSize: 0 });
  }

  function saveMeanwhile(): void {
    if (saving !== undefined || !input.savesMeanwhile) return;
    const isDue = performance.now() - savedAt >= SAVE_MS || offset - savedOffset >= SAVE_BYTES;
    // The last byte is recorded together with the file.
    if (!isDue || offset === savedOffset || offset === plan.length) return;
    saving = saveStored()
      .catch((error) => writer.stop(error))
      .finally(() => {
        saving = undefined;
        savedAt = performance.now();
      });
  }

  // A client that pauses in the middle of a request has its bytes recorded too.
  const timer = setInterval(saveMeanwhile, SAVE_MS / 2);
  timer.unref();

  async function hashedSums(): Promise<ContentSums | undefined> {
    const ended = hash;
    hash = undefined;
    if (ended === undefined) return undefined;
    try {
      return checked(await ended.end(), { size: offset, checksum: trail.current });
    } catch (error) {
      ended.drop();
      if (error instanceof Fault) throw error;
      // The thread has failed: the content is read again.
      return undefined;
    }
  }

  let known: Promise<ContentSums | undefined> | undefined;
  const sums = (): Promise<ContentSums | undefined> => {
    known ??= hashedSums();
    return known;
  };

  return {
    get offset() {
      return offset;
    },
    get isReleased() {
      return isReleased;
    },
    async write(chunk) {
      saveMeanwhile();
      try {
        await (hash === undefined ? store(chunk) : hash.update(chunk, store));
      } catch (error) {
        // It may have hashed bytes that are not stored, so no later request may use it.
        hash?.drop();
        hash = undefined;
        throw error;
      }
      offset += chunk.length;
    },
    async save() {
      await hash?.flush();
      await saving;
      if (offset === savedOffset && upload.name !== null && plan.length === upload.length) {
        return savedOffset;
      }
      const { growth, stored, rest } = await blob.checkpoint();
      const checksum = trail.current;
      const progress = { offset: stored + rest, checksum, growth };
      canKeep = rest === 0 && growth === null && heldClaims.canHold;
      if (rest === 0) await record({ ...progress, tailBlobId: null, tailSize: 0 }, true);
      else {
        await storeTail(storage, blob, (tailBlobId) =>
          record({ ...progress, tailBlobId, tailSize: rest }, true),
        );
      }
      return savedOffset;
    },
    sums,
    async seal() {
      await saving;
      const found = await sums();
      await blob.seal();
      const expected = { size: offset, checksum: trail.current };
      return (
        found ??
        checked(await rereadContent(blobs, storage.hashes, upload.blobId, writer.signal), expected)
      );
    },
    async close() {
      clearInterval(timer);
      await saving;
      if (isReleased && canKeep) keptBlobs.keep(id, savedOffset, blob);
      else await (isWriter ? blob.close() : abandon(blob));
      if (hash === undefined) return;
      if (savedOffset === offset && isWriter) hashCache.put(id, offset, hash);
      else hash.drop();
    },
  };

  /** If the upload was removed meanwhile, nothing else would remove a blob that was started after that. */
  async function abandon(lost: GrowingBlob): Promise<void> {
    if ((await catalog.uploadById(id)) === undefined) await lost.discard();
    else await lost.close();
  }
}

async function openBlob(blobs: UploadsDeps["blobs"], upload: UploadRecord): Promise<GrowingBlob> {
  const { blobId, offset, growth } = upload;
  const blob = await blobs.grow(blobId, { offset, growth });
  try {
    await copyTail(blobs, upload, blob);
    return blob;
  } catch (error) {
    await blob.close();
    throw error;
  }
}

type Progress = Pick<UploadProgress, "offset" | "checksum" | "growth" | "tailBlobId" | "tailSize">;

/** Fault `LostBytes`: the sums are others than those that were computed when the bytes arrived. */
function checked(sums: ContentSums, expected: Pick<ContentSums, "size" | "checksum">): ContentSums {
  if (sums.size === expected.size && sums.checksum === expected.checksum) return sums;
  throw damagedUpload();
}
