import { isBucketName } from "../../contract/text/bucket-name.ts";
import { authorize } from "../domain/authorize.ts";
import { SYSTEM } from "../domain/caller.ts";
import { Fault } from "../domain/fault.ts";
import { ROOT_KEY } from "../domain/names/name.ts";
import type { FolderRecord } from "../domain/records.ts";
import { S3Fault } from "../domain/s3-fault.ts";
import type { ObjectParts } from "./deps.ts";
import type { ObjectService } from "./object-service.ts";
import { bucketOf } from "./visible-buckets.ts";

type Buckets = Pick<
  ObjectService,
  "listBuckets" | "bucket" | "bucketSettings" | "setBucketSetting" | "createBucket" | "removeBucket"
>;

/** Buckets are the folders in the root whose names are those of buckets. */
export function createBuckets({ catalog, storage, buckets }: ObjectParts): Buckets {
  async function allBuckets(): Promise<FolderRecord[]> {
    const root = await catalog.folderByKey(SYSTEM, ROOT_KEY);
    const all: FolderRecord[] = [];
    if (root === undefined) return all;
    for await (const folders of catalog.listFolders(SYSTEM, root.id)) {
      all.push(...folders.filter(({ name }) => isBucketName(name)));
    }
    return all;
  }

  return {
    async listBuckets(caller) {
      authorize(caller, "list");
      const top = await buckets.topKey(caller);
      if (top === undefined) return [];
      if (top === ROOT_KEY) return allBuckets();
      const bucket = await buckets.find(caller, bucketOf(top));
      return bucket === undefined ? [] : [bucket];
    },

    bucket: buckets.find,

    async bucketSettings(caller, key) {
      const bucket = await buckets.find(caller, key);
      return bucket && catalog.bucketSettings(key);
    },

    async setBucketSetting(caller, change) {
      await buckets.require(caller, change.key);
      authorize(caller, "write");
      try {
        await catalog.setBucketSetting(caller, change);
      } catch (error) {
        if (!(error instanceof Fault) || error.kind !== "not_found") throw error;
        await buckets.require(caller, change.key);
        throw new S3Fault(
          "AccessDenied",
          "This API key is limited to a folder, so it does not change the settings of the bucket.",
        );
      }
    },

    async createBucket(caller, key) {
      authorize(caller, "write");
      if ((await buckets.find(caller, key)) !== undefined) return "exists";
      try {
        await catalog.createFolder(caller, key);
        return "created";
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        if (error.kind === "not_found") throw limitedToFolder();
        if (error.kind !== "conflict") throw error;
        if ((await buckets.find(caller, key)) !== undefined) return "exists";
        throw new S3Fault("BucketAlreadyExists", "A file in the root has this name.");
      }
    },

    async removeBucket(caller, key) {
      await buckets.require(caller, key);
      authorize(caller, "delete");
      try {
        await catalog.removeBucket(caller, key);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        if (error.kind === "conflict") {
          throw new S3Fault("BucketNotEmpty", "The bucket that you tried to delete is not empty.");
        }
        if (error.kind !== "not_found") throw error;
        // Only a folder in it is within the scope.
        await buckets.require(caller, key);
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
