import { noSuchBucket } from "../domain/faults/s3-fault.ts";
import { keepDeletedMs } from "../domain/keep-time.ts";
import type { Millis } from "../domain/records.ts";
import { createBackgroundDigests } from "./background-digests.ts";
import { createBuckets } from "./buckets.ts";
import type { ObjectsDeps, SharedObjectDeps } from "./deps.ts";
import { explainPut } from "./explain-put.ts";
import { createMultipartService } from "./multipart/multipart-service.ts";
import type { ObjectService } from "./object-service.ts";
import { createPutObject } from "./put-object.ts";
import { bucketOf, createVisibleBuckets } from "./visible-buckets.ts";

/** The files and folders as buckets and objects of the S3 API. */
export interface Objects extends ObjectService {
  /** Removes multipart uploads that have expired; the next sweep removes their blobs. */
  removeExpired(now: Millis): Promise<void>;
  close(): Promise<void>;
}

const EXPIRED_BATCH = 100;

export function createObjects(deps: ObjectsDeps): Objects {
  const { catalog } = deps;
  const digests = createBackgroundDigests(deps);
  const buckets = createVisibleBuckets(catalog);
  const shared: SharedObjectDeps = { ...deps, buckets };

  return {
    ...createBuckets(shared),

    async list(caller, request) {
      await buckets.require(caller, request.bucket);
      const list = await catalog.listObjects(caller, request);
      if (list === undefined) throw noSuchBucket(request.bucket);
      return list;
    },

    find: async (caller, key) => catalog.fileByKey(caller, key),
    findFolder: async (caller, key) => catalog.explicitFolder(caller, key),

    async exists(caller, { key, isFolder }) {
      const found = isFolder ? catalog.explicitFolder(caller, key) : catalog.fileByKey(caller, key);
      return (await found) !== undefined;
    },

    setTags: (caller, key, tags) =>
      explainPut(shared, caller, key, () => catalog.setObjectTags(caller, { key, tags })),

    ...createPutObject(shared),

    putFolder: (caller, key, expect) =>
      explainPut(shared, caller, key, () => catalog.putFolderObject(caller, { key, expect })),

    remove: createRemoveObjects(shared),
    multipart: createMultipartService(shared, digests),

    async removeExpired(now) {
      while (await catalog.removeExpiredMultiparts(now, EXPIRED_BATCH));
    },

    close: digests.close,
  };
}

function createRemoveObjects({
  catalog,
  storage,
  settings,
  buckets,
}: SharedObjectDeps): ObjectService["remove"] {
  return async (caller, objects) => {
    for (const bucket of new Set(objects.map(({ key }) => bucketOf(key)))) {
      await buckets.require(caller, bucket);
    }
    const keepMs = keepDeletedMs(caller, settings(), undefined);
    const result = await catalog.removeObjects(caller, { objects, keepMs });
    if (result.removed.length > 0) void storage.removeCondemned();
    return result;
  };
}
