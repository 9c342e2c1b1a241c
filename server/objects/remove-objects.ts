import type { TreeChanges } from "../catalog/port/changes-by.ts";
import type { UploadStorage } from "../files/files.ts";
import { Fault } from "../rules/fault.ts";
import { S3Fault } from "../rules/s3/s3-fault.ts";
import type { ObjectScope } from "./object-scope.ts";
import type { ObjectService } from "./object-service.ts";

export interface RemoveObjectsParts {
  readonly changes: Pick<TreeChanges, "removeObjects">;
  readonly limits: ObjectScope;
  readonly storage: Pick<UploadStorage, "removeCondemned">;
}

export function createRemoveObjects({
  changes,
  limits,
  storage,
}: RemoveObjectsParts): Pick<ObjectService, "remove"> {
  return {
    async remove(objects) {
      limits.requireAction("delete");
      try {
        const removed = await changes.removeObjects({ objects, within: limits.within });
        // The records are gone: no response waits for the blobs.
        void storage.removeCondemned();
        return removed;
      } catch (error) {
        if (!(error instanceof Fault) || error.kind !== "precondition_failed") throw error;
        throw new S3Fault("PreconditionFailed", "The object does not have the expected ETag.");
      }
    },
  };
}
