import type { ObjectToRemove, RemovedObjects } from "../catalog/port/objects.ts";
import { keepDeletedMs } from "../domain/keep-time.ts";
import type { ObjectsDeps } from "./deps.ts";
import { bucketOf, type ObjectCaller } from "./object-caller.ts";

export function createRemoveObjects(
  { catalog, storage, settings }: ObjectsDeps,
  caller: ObjectCaller,
) {
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
