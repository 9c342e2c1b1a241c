import { isBucketName } from "../../contract/text/bucket-name.ts";
import type { Authorized } from "../domain/callers/authorize.ts";
import { SYSTEM } from "../domain/callers/caller.ts";
import { Fault } from "../domain/faults/fault.ts";
import { S3Fault } from "../domain/faults/s3-fault.ts";
import { keyNames, ROOT_KEY } from "../domain/names/name.ts";
import type { FolderRecord, Key } from "../domain/records.ts";
import { findObjectPlace } from "../semantics/s3/object-key.ts";
import { readBucketPolicy } from "../semantics/s3/stored-policy.ts";
import type { SharedObjectDeps } from "./deps.ts";
import type { ObjectService } from "./object-service.ts";
import { bucketOf } from "./visible-buckets.ts";

type Buckets = Pick<
  ObjectService,
  | "listBuckets"
  | "bucket"
  | "bucketSettings"
  | "setBucketSetting"
  | "bucketPolicy"
  | "setBucketPolicy"
  | "setBucketLifecycle"
  | "createBucket"
  | "removeBucket"
>;

/** Buckets are the folders in the root whose names are those of buckets. */
export function createBuckets({ catalog, storage, buckets }: SharedObjectDeps): Buckets {
  async function allBuckets(): Promise<FolderRecord[]> {
    const root = await catalog.folderByKey(SYSTEM, ROOT_KEY);
    const all: FolderRecord[] = [];
    if (root === undefined) return all;
    for await (const folders of catalog.listFolders(SYSTEM, root.id)) {
      all.push(...folders.filter(({ name }) => isBucketName(name)));
    }
    return all;
  }

  async function changeSettings(
    caller: Authorized<"write">,
    bucket: Key,
    change: () => Promise<void>,
  ): Promise<void> {
    await buckets.require(caller, bucket);
    try {
      await change();
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== "not_found") throw error;
      await buckets.require(caller, bucket);
      throw new S3Fault(
        "AccessDenied",
        "This API key is limited to a folder, so it does not change the settings of the bucket.",
      );
    }
  }

  /** Whether all files in the folder are public, and new ones will be. */
  async function isOpen(folderId: string): Promise<boolean> {
    const folder = await catalog.folderById(SYSTEM, folderId);
    if (folder?.defaultVisibility !== "public") return false;
    const { files, folders } = await catalog.countVisibility(SYSTEM, folder.key);
    return files.private === 0 && folders.private === 0;
  }

  return {
    async listBuckets(caller) {
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

    setBucketSetting: (caller, change) =>
      changeSettings(caller, change.key, () => catalog.setBucketSetting(caller, change)),

    async bucketPolicy(caller, key) {
      const bucket = await buckets.find(caller, key);
      const text = bucket && (await catalog.bucketSettings(key))?.policy;
      if (text === undefined) return undefined;
      const policy = readBucketPolicy(text);
      if (policy.bucket !== key) return undefined;
      const isTrue = policy.opened === undefined || (await isOpen(policy.opened.id));
      return isTrue ? policy.document : undefined;
    },

    setBucketPolicy: (caller, change) =>
      changeSettings(caller, change.key, () => catalog.setBucketPolicy(caller, change)),

    async setBucketLifecycle(caller, { key, rules }) {
      const folders: Record<string, Key> = {};
      for (const { prefix, days } of rules) {
        if (days !== undefined) folders[prefix] = folderOf(key, prefix);
      }
      await changeSettings(caller, key, async () => {
        try {
          await catalog.setBucketLifecycle(caller, { key, rules, folders });
        } catch (error) {
          if (!(error instanceof Fault) || error.kind !== "conflict") throw error;
          throw new S3Fault(
            "ObjectParentIsFile",
            "An object has the key of a prefix of the rules.",
          );
        }
      });
    },

    async createBucket(caller, key) {
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

/** S3Fault "InvalidArgument": no folder can have this name. */
function folderOf(bucket: Key, prefix: string): Key {
  if (prefix === "") return bucket;
  const name = keyNames(bucket)[0];
  const place = name === undefined ? undefined : findObjectPlace(name, prefix);
  if (place?.isFolder === true) return place.key;
  throw new S3Fault("InvalidArgument", "No folder can have the name of the prefix of a rule.");
}

const limitedToFolder = (): S3Fault =>
  new S3Fault(
    "AccessDenied",
    "This API key is limited to a folder, so it creates and removes no buckets around it.",
  );
