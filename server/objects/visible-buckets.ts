import { isBucketName } from "../../contract/text/bucket-name.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import { seesKey, topKeyOf } from "../domain/callers/authorize.ts";
import { type SeenBy, SYSTEM } from "../domain/callers/caller.ts";
import { isInFolder } from "../domain/callers/scope.ts";
import { noSuchBucket, noSuchKey, S3Fault } from "../domain/faults/s3-fault.ts";
import { keyNames } from "../domain/names/name.ts";
import type { FolderRecord, Key } from "../domain/records.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";

/** The buckets as callers see them: also one in which they see only a folder. */
export interface VisibleBuckets {
  /** undefined: missing. */
  find(caller: SeenBy, name: Key): Promise<FolderRecord | undefined>;
  /** NoSuchBucket. */
  require(caller: SeenBy, name: Key): Promise<FolderRecord>;
  /** NoSuchBucket; NoSuchKey: the caller does not see the key. */
  requirePlace(caller: SeenBy, key: Key): Promise<void>;
  /** Whether the caller sees the key. */
  sees(caller: SeenBy, key: Key): Promise<boolean>;
  /** The key of the folder with everything that the caller sees; undefined: nothing. */
  topKey(caller: SeenBy): MaybePromise<Key | undefined>;
}

export function createVisibleBuckets(
  catalog: Pick<FileTree, "topFolder" | "folderByKey">,
): VisibleBuckets {
  const topKey = (caller: SeenBy) => topKeyOf(caller, catalog);

  async function find(caller: SeenBy, name: Key): Promise<FolderRecord | undefined> {
    if (!isBucketName(name)) return undefined;
    const top = await topKey(caller);
    const isVisible = top !== undefined && (isInFolder(name, top) || isInFolder(top, name));
    return isVisible ? catalog.folderByKey(SYSTEM, name) : undefined;
  }

  async function require(caller: SeenBy, name: Key): Promise<FolderRecord> {
    const bucket = await find(caller, name);
    if (bucket === undefined) throw noSuchBucket(name);
    return bucket;
  }

  const sees = (caller: SeenBy, key: Key) => seesKey(caller, catalog, key);

  return {
    topKey,
    find,
    require,
    sees,
    async requirePlace(caller, key) {
      await require(caller, bucketOf(key));
      if (!(await sees(caller, key))) throw noSuchKey();
    },
  };
}

export const bucketOf = (key: Key): Key => (keyNames(key)[0] ?? "") as Key;

export const noSuchUpload = (): S3Fault =>
  new S3Fault(
    "NoSuchUpload",
    "The specified multipart upload does not exist. It may have been completed or aborted.",
  );
