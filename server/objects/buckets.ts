import type { TreeChanges } from "../catalog/port/changes-by.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import { Fault } from "../rules/fault.ts";
import { ROOT_KEY } from "../rules/name.ts";
import type { FolderRecord } from "../rules/records.ts";
import { isBucketName } from "../rules/s3/bucket-name.ts";
import { S3Fault } from "../rules/s3/s3-fault.ts";
import { compareUtf8 } from "../rules/s3/utf8-order.ts";
import { bucketOf, noSuchBucket, type ObjectScope } from "./object-scope.ts";
import type { ObjectService } from "./object-service.ts";

export interface BucketParts {
  readonly catalog: Pick<FileTree, "folderByKey" | "listFolders" | "topFolder">;
  readonly changes: Pick<TreeChanges, "createFolder" | "removeBucket">;
  readonly limits: ObjectScope;
}

export function createBuckets({
  catalog,
  changes,
  limits,
}: BucketParts): Pick<ObjectService, "listBuckets" | "bucket" | "createBucket" | "removeBucket"> {
  const { within } = limits;

  return {
    async listBuckets() {
      limits.requireAction("list");
      if (within !== undefined) {
        const top = await catalog.topFolder(within);
        const bucket = top === undefined ? undefined : await limits.bucket(bucketOf(top.key));
        return bucket === undefined ? [] : [bucket];
      }
      const root = await catalog.folderByKey(ROOT_KEY);
      const buckets: FolderRecord[] = [];
      for await (const folders of catalog.listFolders(root?.id ?? "")) {
        buckets.push(...folders.filter(({ name }) => isBucketName(name)));
      }
      return buckets.sort((a, b) => compareUtf8(a.name, b.name));
    },

    bucket: limits.bucket,

    async createBucket(name) {
      limits.requireAction("write");
      if ((await limits.bucket(name)) !== undefined) return "exists";
      if (within !== undefined) throw limitedToFolder();
      try {
        await changes.createFolder(name);
        return "created";
      } catch (error) {
        if (!(error instanceof Fault) || error.kind !== "conflict") throw error;
        if ((await limits.bucket(name)) !== undefined) return "exists";
        throw new S3Fault("BucketAlreadyExists", "A file has this name.");
      }
    },

    async removeBucket(name) {
      await limits.requireBucket(name);
      limits.requireAction("delete");
      try {
        await changes.removeBucket({ key: name, within });
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        if (error.kind === "conflict")
          throw new S3Fault("BucketNotEmpty", "The bucket is not empty.");
        // The folder of a limited key may be inside.
        if (error.kind === "not_found" && within !== undefined) throw limitedToFolder();
        if (error.kind === "not_found") throw noSuchBucket(name);
        throw error;
      }
    },
  };
}

const limitedToFolder = (): S3Fault =>
  new S3Fault(
    "AccessDenied",
    "This API key is limited to a folder: only a key for all folders creates and removes buckets outside it.",
  );
