import type { FileTree, Within } from "../catalog/port/file-tree.ts";
import { keyNames } from "../rules/name.ts";
import type { FolderRecord, Key, KeyAction } from "../rules/records.ts";
import { isBucketName } from "../rules/s3/bucket-name.ts";
import { S3Fault } from "../rules/s3/s3-fault.ts";
import { forbidden, isLimitedToFolder, may, requireAction, type Scope } from "../rules/scope.ts";

/** What a caller of the S3 API may do, and where. */
export interface ObjectScope {
  /** For the catalog; undefined: everywhere. */
  readonly within: Within | undefined;
  /** The bucket, if the caller sees it: also the one that contains the folder of the caller. */
  bucket(name: Key): Promise<FolderRecord | undefined>;
  /** S3Fault "NoSuchBucket". */
  requireBucket(name: Key): Promise<FolderRecord>;
  /** Fault "forbidden": the caller may not do it to anything. */
  requireAction(action: KeyAction): void;
  /** S3Faults "NoSuchBucket" and "NoSuchKey": the place is outside the scope. Fault "forbidden". */
  requirePlace(action: KeyAction, key: Key): Promise<void>;
}

export function createObjectScope(
  tree: Pick<FileTree, "folderByKey" | "topFolder">,
  scope: Scope,
): ObjectScope {
  const within = isLimitedToFolder(scope) ? scope.folderIds : undefined;

  async function bucket(name: Key): Promise<FolderRecord | undefined> {
    if (!isBucketName(name)) return undefined;
    if (within !== undefined) {
      const top = await tree.topFolder(within);
      if (top === undefined || bucketOf(top.key) !== name) return undefined;
    }
    return tree.folderByKey(name);
  }

  async function requireBucket(name: Key): Promise<FolderRecord> {
    const found = await bucket(name);
    if (found === undefined) throw noSuchBucket(name);
    return found;
  }

  return {
    within,
    bucket,
    requireBucket,
    requireAction: (action) => requireAction(scope, action),
    async requirePlace(action, key) {
      await requireBucket(bucketOf(key));
      if (within === undefined) return requireAction(scope, action);
      const top = await tree.topFolder(within);
      const verdict = may(scope, action, top?.key, key);
      if (verdict === "outside") throw noSuchKey();
      if (verdict === "forbidden") throw forbidden(action);
    },
  };
}

/** The first segment of a key. */
export const bucketOf = (key: Key): Key => (keyNames(key)[0] ?? "") as string as Key;

export const noSuchBucket = (name: Key): S3Fault =>
  new S3Fault("NoSuchBucket", "The bucket does not exist.", { fields: { BucketName: name } });

export const noSuchKey = (): S3Fault => new S3Fault("NoSuchKey", "The object does not exist.");
