import { type SeenBy, SYSTEM } from "../domain/callers/caller.ts";
import { Fault } from "../domain/faults/fault.ts";
import { noSuchKey, S3Fault } from "../domain/faults/s3-fault.ts";
import type { Key } from "../domain/records.ts";
import type { SharedObjectDeps } from "./deps.ts";
import { bucketOf } from "./visible-buckets.ts";

/** Runs a change that puts an object at a key, and gives its faults the codes of the S3 API. */
export async function explainPut<T>(
  { catalog, buckets }: Pick<SharedObjectDeps, "catalog" | "buckets">,
  caller: SeenBy,
  key: Key,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault) || error instanceof S3Fault) throw error;
    if (error.kind === "precondition_failed") {
      throw new S3Fault("PreconditionFailed", error.message, { cause: error });
    }
    if (error.kind === "not_found") {
      await buckets.require(caller, bucketOf(key));
      throw noSuchKey();
    }
    if (error.kind !== "conflict") throw error;
    const isFolder = (await catalog.folderByKey(SYSTEM, key)) !== undefined;
    throw isFolder
      ? new S3Fault("ExistingObjectIsDirectory", "There is a folder with this key.", {
          cause: error,
        })
      : new S3Fault("ObjectParentIsFile", "A part of the key before a slash is an object.", {
          cause: error,
        });
  }
}
