import { isBucketName } from "../../contract/text/bucket-name.ts";
import { Fault } from "../domain/fault.ts";
import { ROOT_KEY } from "../domain/names/name.ts";
import type { FolderRecord } from "../domain/records.ts";
import { S3Fault } from "../domain/s3-fault.ts";
import type { ObjectsDeps } from "./deps.ts";
import { bucketOf, type ObjectCaller } from "./object-caller.ts";
import type { ObjectService } from "./object-service.ts";

type Buckets = Pick<ObjectService, "listBuckets" | "bucket" | "createBucket" | "removeBucket">;

/** Buckets are the folders in the root whose names are those of buckets. */
export function createBuckets({ catalog, storage }: ObjectsDeps, caller: ObjectCaller): Buckets {
  const changes = catalog.by(caller.actor);

  async function allBuckets(): Promise<FolderRecord[]> {
    const root = await catalog.folderByKey(ROOT_KEY);
    const buckets: FolderRecord[] = [];
    if (root === undefined) return buckets;
    for await (const folders of catalog.listFolders(root.id)) {
      buckets.push(...folders.filter(({ name }) => isBucketName(name)));
    }
    return buckets;
  }

  return {
    async listBuckets() {
      caller.requireAction("list");
      const top = await caller.topKey();
      if (top === undefined) return [];
      if (top === ROOT_KEY) return allBuckets();
      const bucket = await caller.findBucket(bucketOf(top));
      return bucket === undefined ? [] : [bucket];
    },

    bucket: caller.findBucket,

    async createBucket(key) {
      caller.requireAction("write");
      if ((await caller.findBucket(key)) !== undefined) return "exists";
      try {
        await changes.createFolder(key, caller.within);
        return "created";
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        if (error.kind === "not_found") throw limitedToFolder();
        if (error.kind !== "conflict") throw error;
        if ((await caller.findBucket(key)) !== undefined) return "exists";
        throw new S3Fault("BucketAlreadyExists", "A file in the root has this name.");
      }
    },

    async removeBucket(key) {
      await caller.requireBucket(key);
      caller.requireAction("delete");
      try {
        await changes.removeBucket({ key, within: caller.within });
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        if (error.kind === "conflict") {
          throw new S3Fault("BucketNotEmpty", "The bucket that you tried to delete is not empty.");
        }
        if (error.kind !== "not_found") throw error;
        // Only a folder in it is within the scope.
        await caller.requireBucket(key);
        throw limitedToFolder();
      }
      void storage.removeCondemned();
    },
  };
}

const limitedToFolder = (): S3Fault =>
  new S3Fault(
    "AccessDenied",
    "This API key is limited to a folder, so it creates and removes no buckets around it.",
  );
