import type { ObjectToRemove, RemovedObjects } from "../catalog/port/objects.ts";
import type { Actor } from "../domain/activity.ts";
import { keepDeletedMs } from "../domain/keep-time.ts";
import type { Millis } from "../domain/records.ts";
import { noSuchBucket } from "../domain/s3-fault.ts";
import type { Scope } from "../domain/scope.ts";
import { createTwoGenerationCache } from "../lib/two-generation-cache.ts";
import { type BackgroundDigests, createBackgroundDigests } from "./background-digests.ts";
import { createBuckets } from "./buckets.ts";
import { createCopyObject } from "./copy-object.ts";
import type { ObjectsDeps } from "./deps.ts";
import { explainPut } from "./explain-put.ts";
import { createMultipartService } from "./multipart/multipart-service.ts";
import { bucketOf, createObjectCaller, type ObjectCaller } from "./object-caller.ts";
import type { ObjectService } from "./object-service.ts";
import { createPutObject, requireWrite } from "./put-object.ts";

/** The files and folders as buckets and objects of the S3 API. */
export interface Objects {
  /** The operations for a caller with this scope. */
  within(scope: Scope, actor: Actor): ObjectService;
  /** Removes multipart uploads that have expired; the next sweep removes their blobs. */
  removeExpired(now: Millis): Promise<void>;
  close(): Promise<void>;
}

/** Callers whose services are kept. */
const MAX_SERVICES = 400;
const EXPIRED_BATCH = 100;

export function createObjects(deps: ObjectsDeps): Objects {
  const { catalog } = deps;
  const digests = createBackgroundDigests(deps);
  const services = createTwoGenerationCache<string, ObjectService>(MAX_SERVICES);

  return {
    within(scope, actor) {
      const caller = JSON.stringify([scope.folderIds, [...scope.actions], actor]);
      const known = services.get(caller);
      if (known !== undefined) return known;
      const made = createService(deps, digests, scope, actor);
      services.set(caller, made, 1);
      return made;
    },

    async removeExpired(now) {
      while (await catalog.removeExpiredMultiparts(now, EXPIRED_BATCH));
    },

    close: digests.close,
  };
}

function createService(
  deps: ObjectsDeps,
  digests: BackgroundDigests,
  scope: Scope,
  actor: Actor,
): ObjectService {
  const { catalog } = deps;
  const caller = createObjectCaller(deps, scope, actor);
  const { within } = caller;

  return {
    ...createBuckets(deps, caller),

    async list(request) {
      await caller.requireBucket(request.bucket);
      caller.requireAction("list");
      const list = await catalog.listObjects({ ...request, within });
      if (list === undefined) throw noSuchBucket(request.bucket);
      return list;
    },

    async find(key, action) {
      const file = await catalog.fileByKey(key, within);
      if (file !== undefined) caller.requireAction(action);
      return file;
    },

    async findFolder(key, action) {
      const folder = await catalog.explicitFolder(key, within);
      if (folder !== undefined) caller.requireAction(action);
      return folder;
    },

    put: createPutObject(deps, caller),

    async putFolder(key, expect) {
      await requireWrite(caller, key);
      return explainPut(deps, caller, key, () =>
        catalog.by(actor).putFolderObject({ key, expect, within }),
      );
    },

    copy: createCopyObject(deps, caller),
    remove: createRemoveObjects(deps, caller),
    multipart: createMultipartService(deps, caller, digests),
  };
}

function createRemoveObjects({ catalog, storage, settings }: ObjectsDeps, caller: ObjectCaller) {
  const changes = catalog.by(caller.actor);

  return async (objects: readonly ObjectToRemove[]): Promise<RemovedObjects> => {
    for (const bucket of new Set(objects.map(({ key }) => bucketOf(key)))) {
      await caller.requireBucket(bucket);
    }
    caller.requireAction("delete");
    const keepMs = keepDeletedMs(settings(), undefined);
    const result = await changes.removeObjects({ objects, within: caller.within, keepMs });
    if (result.removed.length > 0) void storage.removeCondemned();
    return result;
  };
}
