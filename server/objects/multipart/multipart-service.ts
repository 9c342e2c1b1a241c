import { authorizeMaker } from "../../domain/callers/authorize.ts";
import { noSuchBucket } from "../../domain/faults/s3-fault.ts";
import { mediaType } from "../../domain/media.ts";
import { ROOT_KEY, splitKey } from "../../domain/names/name.ts";
import type { BlobId, Key, Millis } from "../../domain/records.ts";
import { uuidV7 } from "../../runtime/uuid.ts";
import { abortedAt, readLifecycle } from "../../semantics/s3/lifecycle.ts";
import type { MultipartRecord } from "../../semantics/s3/multipart.ts";
import type { BackgroundDigests } from "../background-digests.ts";
import type { SharedObjectDeps } from "../deps.ts";
import type { MultipartService } from "../object-service.ts";
import { bucketOf, noSuchUpload } from "../visible-buckets.ts";
import { createCompleteUpload } from "./complete-upload.ts";
import { createCopyPart } from "./copy-part.ts";
import type { FindUpload } from "./find-upload.ts";
import { createListUploads } from "./list-uploads.ts";
import { createPutPart } from "./put-part.ts";

const LIFETIME_MS = 7 * 24 * 3_600_000;

export function createMultipartService(
  deps: SharedObjectDeps,
  digests: BackgroundDigests,
): MultipartService {
  const { catalog, blobs, storage, buckets } = deps;
  const { blobIds } = storage;

  const find: FindUpload = async (caller, id, key) => {
    const upload = await catalog.multipartById(id);
    if (upload === undefined || upload.key !== key || !(await buckets.sees(caller, key))) {
      throw noSuchUpload();
    }
    return upload;
  };

  const findUnfinished: FindUpload = async (caller, id, key) => {
    const upload = await find(caller, id, key);
    if (upload.state === "finished") throw noSuchUpload();
    return upload;
  };

  /** The blob into which parts are written. null: the store has none. */
  async function beginBlob(): Promise<BlobId | null> {
    if (blobs.partsInPlace === null) return null;
    const blobId = await blobIds.take();
    try {
      await blobs.partsInPlace.begin(blobId);
      return blobId;
    } catch (error) {
      blobIds.markDiscarded(blobId);
      throw error;
    }
  }

  const isRemoved = (blobId: BlobId): Promise<boolean> =>
    blobs.removeGrowing([blobId]).then(
      () => true,
      () => false,
    );

  async function add(upload: Omit<MultipartRecord, "blobId">): Promise<MultipartRecord> {
    const blobId = await beginBlob();
    const record = { ...upload, blobId };
    const reserved =
      blobId === null ? [] : [{ id: blobId, writer: { discard: () => isRemoved(blobId) } }];
    // From then on the upload keeps the blob from being swept.
    await storage.commit(reserved, () =>
      catalog.addMultipart({ ...record, owner: blobIds.owner }, deps.maxOpenUploads),
    );
    return record;
  }

  /** The rules of the bucket may abort it sooner. */
  async function endOfUpload(key: Key, createdAt: Millis): Promise<Millis> {
    const bucket = bucketOf(key);
    const { lifecycle } = (await catalog.bucketSettings(bucket)) ?? {};
    const rules = lifecycle === undefined ? [] : readLifecycle(lifecycle).rules;
    const aborted = abortedAt(rules, key.slice(bucket.length + 1), createdAt);
    return Math.min(createdAt + LIFETIME_MS, aborted ?? Number.POSITIVE_INFINITY);
  }

  const put = createPutPart(deps, findUnfinished);

  return {
    async create(caller, { key, mimeType, ...attributes }) {
      const place = splitKey(key);
      if (place === undefined || place.folder === ROOT_KEY) throw noSuchBucket(key);
      await buckets.requirePlace(caller, key);
      const createdAt = catalog.now();
      return add({
        id: uuidV7(createdAt),
        bucket: bucketOf(key),
        key,
        maker: caller.actor,
        attributes: { ...attributes, mimeType: mimeType ?? mediaType(place.name, undefined) },
        partSize: null,
        state: "open",
        fileId: null,
        etag: null,
        createdAt,
        expiresAt: await endOfUpload(key, createdAt),
      });
    },

    find,
    ...put,
    copyPart: createCopyPart(deps, put, findUnfinished),

    async parts(caller, id, key, after, limit) {
      await find(caller, id, key);
      const found = await catalog.partsAfter(id, after, limit + 1);
      return { parts: found.slice(0, limit), more: found.length > limit };
    },

    complete: createCompleteUpload(deps, digests, find),

    async abort(caller, id, key) {
      const { maker } = await findUnfinished(caller, id, key);
      authorizeMaker(caller, maker);
      if (!(await catalog.abortMultipart(id))) throw noSuchUpload();
      void storage.removeCondemned();
    },

    list: createListUploads(deps),
  };
}
