import type { BlobId } from "../../domain/records.ts";
import { createGrow } from "../growing-blob.ts";
import type { BlobBody, BlobInspection, BlobPresigner, Blobs, BlobWriter, Slice } from "../port.ts";
import { MAX_SMALL_BYTES } from "../small-blob-cache.ts";
import { PART_SIZES, type PartSizes } from "./part-sizes.ts";
import { type ObjectRead, readObject } from "./read-object.ts";
import { createS3Assembly } from "./s3-assembly.ts";
import { createS3Client, type S3ClientOptions } from "./s3-client.ts";
import { S3Error, s3Fault } from "./s3-error.ts";
import { openS3Growth } from "./s3-growth.ts";
import { createS3Inspection } from "./s3-inspection.ts";
import { blobKey, blobOfKey, blockOfPrefix, blockPrefix, commonPrefix, PREFIX } from "./s3-keys.ts";
import { createMultiparts } from "./s3-multipart.ts";
import { createS3Objects } from "./s3-objects.ts";
import type { S3Settings } from "./s3-settings.ts";
import { createS3Writer } from "./s3-writer.ts";
import { createStaging } from "./staging.ts";
import { createTagCache } from "./tag-cache.ts";
import { createTakenIds } from "./taken-ids.ts";

export interface S3BlobsOptions {
  readonly settings: S3Settings;
  /** A folder for temporary files. Processes may share it. */
  readonly staging: string;
  /** Receives errors that remain after all retries. */
  readonly onTrouble: (trouble: S3Error) => void;
  readonly onFreeze?: S3ClientOptions["onFreeze"];
  readonly sizes?: PartSizes;
}

/**
 * Stores blobs as objects of a bucket, under the same names as on disk. Objects appear atomically.
 * `flushBlock` aborts unfinished multipart uploads. A growing blob is a multipart upload.
 */
export async function createS3Blobs(
  options: S3BlobsOptions,
): Promise<Blobs & BlobInspection & BlobPresigner> {
  const { settings, sizes = PART_SIZES } = options;
  const client = createS3Client(settings, options);
  const objects = createS3Objects(client);
  const multiparts = createMultiparts(client, objects.sizeOf);
  const staging = await createStaging(options.staging);
  const taken = createTakenIds(idsIn);
  const activeUploads = new Set<string>();
  const uploadParts = { client, multiparts, staging, sizes, activeUploads };
  const tagCache = createTagCache();

  function faultOf(error: unknown): unknown {
    if (error instanceof S3Error) options.onTrouble(error);
    return s3Fault(error);
  }

  async function asFaults<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw faultOf(error);
    }
  }

  async function idsIn(block: number): Promise<BlobId[]> {
    const ids = new Set<BlobId>();
    const add = (key: string): void => {
      const id = blobOfKey(key);
      if (id !== undefined) ids.add(id);
    };
    for await (const key of objects.keys(blockPrefix(block))) add(key);
    for await (const { key } of multiparts.unfinished(blockPrefix(block))) add(key);
    return [...ids];
  }

  async function abortUnfinished(block: number, known: ReadonlySet<BlobId>): Promise<void> {
    for await (const found of multiparts.unfinished(blockPrefix(block))) {
      const id = blobOfKey(found.key);
      const mayGrow = id !== undefined && known.has(id);
      if (!mayGrow && !activeUploads.has(found.uploadId)) await multiparts.abort(found);
    }
  }

  /** One listing for all: the bucket has few unfinished uploads. */
  async function abortUploadsOf(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const removed = new Set(keys);
    for await (const found of multiparts.unfinished(commonPrefix(keys))) {
      if (removed.has(found.key)) await multiparts.abort(found);
    }
  }

  const grow = createGrow(
    (id, from) =>
      openS3Growth(
        { ...uploadParts, objects, tagCache, key: blobKey(id), reservation: Promise.resolve() },
        from,
      ),
    faultOf,
  );

  async function remove(ids: readonly BlobId[]): Promise<void> {
    await asFaults(objects.remove(ids.map(blobKey)));
    for (const id of ids) taken.release(id);
  }

  async function ping(): Promise<void> {
    await client.send({
      method: "GET",
      query: { "list-type": "2", "max-keys": "1", prefix: PREFIX },
    });
  }

  async function create(id: BlobId): Promise<BlobWriter> {
    const reservation = taken.take(id);
    reservation.catch(() => {});
    return createS3Writer({
      ...uploadParts,
      key: blobKey(id),
      reservation,
      faultOf,
      onDiscarded: () => taken.release(id),
    });
  }

  async function read(id: BlobId, size: number, slice?: Slice): Promise<BlobBody | undefined> {
    const read = await asFaults(readObject(client, blobKey(id), slice));
    if (read === undefined) return undefined;
    if (read.size !== size) {
      await read.cancel();
      return undefined;
    }
    const length = slice === undefined ? size : slice.end - slice.start;
    if (length > MAX_SMALL_BYTES) return streamOf(read, faultOf);
    return asFaults(
      Array.fromAsync(read.chunks).then((chunks) => new Blob([Buffer.concat(chunks)])),
    );
  }

  return {
    grow,
    create,
    ...createS3Assembly({ ...uploadParts, objects, taken, create, faultOf }),

    ...createS3Inspection({ client, objects, multiparts, faultOf, ping }),

    read,
    borrow: read,

    remove,

    // Only here, as a listing costs more than the removal of a file.
    async removeGrowing(ids) {
      await Promise.all([remove(ids), asFaults(abortUploadsOf(ids.map(blobKey)))]);
    },

    mayWriteLate: true,

    flushBlock: (block, known) => asFaults(abortUnfinished(block, known)),

    // Objects cannot be marked without another request for each upload.
    markCommitted: async () => {},
    committedAmong: async () => [],

    listBlock: (block) => asFaults(idsIn(block)),

    async *listBlocks() {
      try {
        for await (const prefix of objects.prefixes(PREFIX)) {
          const block = blockOfPrefix(prefix);
          if (block !== undefined) yield block;
        }
      } catch (error) {
        throw faultOf(error);
      }
    },

    freeSpace: async () => null,

    async ping() {
      if (client.areWritesFrozen()) throw faultOf(new S3Error(0, "", "writes hang"));
      await asFaults(ping());
    },

    presignedUrl: (id, { seconds, contentLanguage, contentEncoding, ...link }) =>
      client.presign(blobKey(id), seconds, {
        "response-content-type": link.contentType,
        "response-content-disposition": link.disposition,
        "response-cache-control": link.cacheControl,
        ...(contentLanguage === undefined ? {} : { "response-content-language": contentLanguage }),
        ...(contentEncoding === undefined ? {} : { "response-content-encoding": contentEncoding }),
      }),
  };
}

/** Reads at the consumer's pace. Cancelling the stream cancels the S3 request. */
function streamOf(read: ObjectRead, faultOf: (error: unknown) => unknown): BlobBody {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await read.chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          faultOf(error);
          // Without the error, which the runtime would print.
          controller.error();
        }
      },
      async cancel() {
        await Promise.all([read.cancel(), read.chunks.return(undefined)]);
      },
    },
    { highWaterMark: 0 },
  );
}
