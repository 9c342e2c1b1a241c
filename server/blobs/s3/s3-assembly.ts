import { Fault } from "../../domain/faults/fault.ts";
import type { BlobId } from "../../domain/records.ts";
import { forEachConcurrently } from "../../lib/for-each-concurrently.ts";
import type { AssembledBlobs, BlobPiece, BlobWriter } from "../port.ts";
import { copyObject } from "./copy-object.ts";
import { readObject } from "./read-object.ts";
import type { S3Client } from "./s3-client.ts";
import { S3Error, unlessAbsent } from "./s3-error.ts";
import { blobKey } from "./s3-keys.ts";
import type { Multipart, Multiparts } from "./s3-multipart.ts";
import type { S3Objects } from "./s3-objects.ts";
import type { TakenIds } from "./taken-ids.ts";

export interface S3AssemblyDeps {
  readonly client: S3Client;
  readonly objects: S3Objects;
  readonly multiparts: Multiparts;
  readonly taken: TakenIds;
  readonly activeUploads: Set<string>;
  readonly create: (id: BlobId) => Promise<BlobWriter>;
  readonly faultOf: (error: unknown) => unknown;
}

/** S3's limits for the parts of an object. */
const MIN_PART = 5 * 1024 ** 2;
const MAX_PARTS = 10_000;
/** The most bytes of a copied part. */
const MAX_COPY = 1024 ** 3;
const CONCURRENCY = 4;

/** Objects are copied by the store; pieces that are too small for its parts come through this process. */
export function createS3Assembly(deps: S3AssemblyDeps): AssembledBlobs {
  const { client, objects, multiparts, taken, activeUploads, create, faultOf } = deps;

  async function isWhole({ blobId, start, end }: BlobPiece): Promise<boolean> {
    return start === 0 && (await objects.sizeOf(blobKey(blobId))) === end;
  }

  async function copyParts(key: string, ranges: readonly BlobPiece[]): Promise<void> {
    const { multipart } = await multiparts.start(key);
    activeUploads.add(multipart.uploadId);
    try {
      const tags = await copyRanges(multipart, ranges);
      await multipart.complete(tags, sizeOf(ranges));
    } catch (error) {
      await multiparts.abort({ key, uploadId: multipart.uploadId }).catch(() => {});
      throw error;
    } finally {
      activeUploads.delete(multipart.uploadId);
    }
  }

  /** Through this process, for stores that copy no such parts. */
  async function stream(id: BlobId, pieces: readonly BlobPiece[]): Promise<void> {
    const writer = await create(id);
    try {
      for (const { blobId, start, end } of pieces) {
        const read = await readObject(client, blobKey(blobId), { start, end });
        if (read === undefined) throw gonePiece(blobId);
        for await (const chunk of read.chunks) await writer.write(chunk);
      }
      await writer.seal();
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  /** false: the store does not copy these. */
  async function copy(id: BlobId, pieces: readonly BlobPiece[]): Promise<boolean> {
    const [first] = pieces;
    const ranges = pieces.flatMap(split);
    const isOneObject = pieces.length === 1 && first !== undefined && (await isWhole(first));
    const areParts =
      ranges.length > 0 &&
      ranges.length <= MAX_PARTS &&
      ranges.slice(0, -1).every(({ start, end }) => end - start >= MIN_PART);
    if (!isOneObject && !areParts) return false;
    const key = blobKey(id);
    await taken.take(id);
    try {
      if (isOneObject) await copyObject(deps, blobKey(first.blobId), key, first.end);
      else await copyParts(key, ranges);
      return true;
    } catch (error) {
      taken.release(id);
      // Some stores demand parts of one size.
      if (error instanceof S3Error && error.status >= 400 && error.status < 500) return false;
      throw error;
    }
  }

  return {
    partsInPlace: null,

    async assemble(id, pieces) {
      try {
        if (!(await copy(id, pieces))) await stream(id, pieces);
      } catch (error) {
        throw faultOf(error);
      }
    },
  };
}

async function copyRanges(multipart: Multipart, ranges: readonly BlobPiece[]): Promise<string[]> {
  const tags: string[] = new Array(ranges.length).fill("");
  await forEachConcurrently(ranges.entries(), CONCURRENCY, async ([index, range]) => {
    const copied = await multipart
      .copy(index + 1, blobKey(range.blobId), range)
      .catch(unlessAbsent);
    if (copied === undefined) throw gonePiece(range.blobId);
    tags[index] = copied;
  });
  return tags;
}

/** In ranges that the store copies with one request each, none of which is much smaller. */
function split({ blobId, start, end }: BlobPiece): BlobPiece[] {
  const count = Math.ceil((end - start) / MAX_COPY);
  const step = Math.ceil((end - start) / count);
  return Array.from({ length: count }, (_, index) => ({
    blobId,
    start: start + index * step,
    end: Math.min(end, start + (index + 1) * step),
  }));
}

const sizeOf = (pieces: readonly BlobPiece[]): number =>
  pieces.reduce((sum, { start, end }) => sum + end - start, 0);

const gonePiece = (id: BlobId): Fault =>
  new Fault("gone", "Bytes of this upload are no longer stored. Upload them again.", {
    cause: new Error(`The blob ${id} is absent.`),
  });
