import { crc32 } from "node:zlib";
import { Fault } from "../domain/faults/fault.ts";
import { cacheCounts } from "../domain/process-figures.ts";
import type { BlobId } from "../domain/records.ts";
import { createFrequencyCache } from "../lib/frequency-cache.ts";
import { chain, type MaybePromise } from "../lib/maybe-promise.ts";
import { createTwoGenerationCache } from "../lib/two-generation-cache.ts";
import { sha256Of } from "../runtime/hash.ts";
import type { BlobBody, Blobs, BorrowedBody, DamagedRead, Slice, StoredContent } from "./port.ts";

/** Blobs of up to this many bytes are read into memory rather than sent from a file or a stream. */
export const MAX_SMALL_BYTES = 64 * 1024;

/** Estimated memory of an entry, apart from its bytes. */
const OVERHEAD = 300;

/** Damaged blobs that are not reported again. */
const MAX_REPORTED = 16 * 1024;

/**
 * Adds a cache of up to `maxBytes` to a store. Only removals invalidate entries: a blob never
 * changes, and its id is never reused. A blob may enter the cache on its second read. A full cache admits
 * a blob only if it is read more often than those that it would evict: if each entered, a set of files just
 * larger than the cache, read in turns, would never find one of its files there, and each read would pay for
 * a comparison and an eviction.
 *
 * A blob is compared with its record when it enters. One that differs never does: each of these reads
 * throws fault "unavailable", and the first is reported to `onDamage`. Reads without a record do not
 * fill the cache.
 */
export function withSmallBlobCache<Store extends Blobs>(
  store: Store,
  maxBytes: number,
  onDamage: (damage: DamagedRead) => void,
): Store {
  const cache = createFrequencyCache<BlobId, Blob>(maxBytes, hashOf);
  const reported = createTwoGenerationCache<BlobId, true>(MAX_REPORTED);

  /** A blob that was damaged is compared at each read, so that it is refused until it is restored. */
  function mayEnter(id: BlobId, size: number): boolean {
    const { isRepeated, isAdmitted } = cache.miss(id, size + OVERHEAD);
    return (isRepeated && isAdmitted) || reported.get(id) !== undefined;
  }

  function enter(id: BlobId, bytes: Uint8Array<ArrayBuffer>, content: StoredContent): Blob {
    const damage = compareContent(id, bytes, content);
    if (damage === undefined) {
      const body = new Blob([bytes]);
      cache.set(id, body, body.size + OVERHEAD);
      return body;
    }
    if (reported.get(id) === undefined) onDamage(damage);
    reported.set(id, true, 1);
    throw new Fault("unavailable", DAMAGED, { retryAfter: RETRY_AFTER_DAMAGE });
  }

  function borrow(
    id: BlobId,
    size: number,
    slice?: Slice,
    content?: StoredContent,
  ): MaybePromise<BorrowedBody | undefined> {
    if (size > MAX_SMALL_BYTES) return store.borrow(id, size, slice);
    const cached = cache.get(id);
    if (cached !== undefined) {
      cacheCounts.contents.hits += 1;
      return cached.size === size ? cut(cached, slice) : undefined;
    }
    cacheCounts.contents.misses += 1;
    return chain(store.borrow(id, size), (body) => {
      if (body === undefined || body instanceof ReadableStream || content === undefined) {
        return cut(body, slice);
      }
      if (!mayEnter(id, size)) return cut(body, slice);
      if (body instanceof Uint8Array) return cut(enter(id, body, content), slice);
      return body.bytes().then((bytes) => cut(enter(id, bytes, content), slice));
    });
  }

  return {
    ...store,

    borrow,

    read: (...wanted) => chain(borrow(...wanted), ownBody),

    async remove(ids) {
      for (const id of ids) cache.delete(id);
      await store.remove(ids);
    },

    async removeGrowing(ids) {
      for (const id of ids) cache.delete(id);
      await store.removeGrowing(ids);
    },
  };
}

/**
 * Compares the whole content of a blob with the SHA-256 of its record, or with the CRC-32 where a file of
 * an older version has none. undefined: they match.
 */
function compareContent(
  blobId: BlobId,
  bytes: Uint8Array,
  { id, key, checksum, sha256 }: StoredContent,
): DamagedRead | undefined {
  if (sha256 === null ? crc32(bytes) === checksum : sha256Of(bytes) === sha256) return undefined;
  const size = bytes.byteLength;
  return {
    type: "damaged",
    reason: sha256 === null ? "checksum" : "digest",
    id,
    key,
    blobId,
    size,
    checksum,
    sha256,
    found: { size, checksum: crc32(bytes), sha256: sha256Of(bytes) },
  };
}

/** All bits of an id, in 32. */
const hashOf = (id: BlobId): number => Math.imul(id ^ (id / 2 ** 32), 0x85ebca6b);

const RETRY_AFTER_DAMAGE = 300;
const DAMAGED =
  "The stored content of this file is damaged, so it is not sent. It has to be restored or uploaded again.";

function cut(body: BorrowedBody | undefined, slice: Slice | undefined): BorrowedBody | undefined {
  if (slice === undefined || body === undefined || body instanceof ReadableStream) return body;
  const { start, end } = slice;
  return body instanceof Blob ? body.slice(start, end) : body.subarray(start, end);
}

/** Copies borrowed bytes, so that they stay. */
export const ownBody = (body: BorrowedBody | undefined): BlobBody | undefined =>
  body instanceof Uint8Array ? new Blob([body]) : body;
