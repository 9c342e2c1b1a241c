import type { ObjectToRemove, RemovedObject } from "../catalog/port/objects.ts";
import { Fault } from "../rules/fault.ts";
import { keepDeletedMs } from "../rules/keep-time.ts";
import { S3Fault } from "../rules/s3/s3-fault.ts";
import { bucketOf, noSuchKey, type ObjectCaller } from "./object-caller.ts";
import type { ObjectsParts } from "./parts.ts";

export function createRemoveObjects(
  { catalog, storage, settings }: ObjectsParts,
  caller: ObjectCaller,
) {
  const changes = catalog.by(caller.actor);

  return async (objects: readonly ObjectToRemove[]): Promise<RemovedObject[]> => {
    for (const bucket of new Set(objects.map(({ key }) => bucketOf(key)))) {
      await caller.requireBucket(bucket);
    }
    caller.requireAction("delete");
    try {
      const keepMs = keepDeletedMs(settings(), undefined);
      const removed = await changes.removeObjects({ objects, within: caller.within, keepMs });
      if (removed.length > 0) void storage.removeCondemned();
      return removed;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.kind === "not_found") throw noSuchKey();
      if (error.kind !== "precondition_failed") throw error;
      throw new S3Fault("PreconditionFailed", error.message, { cause: error });
    }
  };
}
