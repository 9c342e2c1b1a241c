import { isBucketName } from "../../contract/text/bucket-name.ts";
import type { Within } from "../catalog/port/file-tree.ts";
import type { Actor } from "../domain/activity.ts";
import { keyNames, ROOT_KEY } from "../domain/names/name.ts";
import type { FolderRecord, Key, KeyAction } from "../domain/records.ts";
import { noSuchBucket, S3Fault } from "../domain/s3-fault.ts";
import { allows, forbidden, isInFolder, isLimitedToFolder, type Scope } from "../domain/scope.ts";
import type { ObjectsDeps } from "./deps.ts";

/** Who asks, and what that may see and change. */
export interface ObjectCaller {
  readonly actor: Actor;
  /** undefined: everything. */
  readonly within: Within | undefined;
  /** The bucket, also if only a folder in it is visible. undefined: missing. */
  findBucket(name: Key): Promise<FolderRecord | undefined>;
  /** NoSuchBucket. */
  requireBucket(name: Key): Promise<FolderRecord>;
  may(action: KeyAction): boolean;
  /** Fault "forbidden": the scope lacks the action. */
  requireAction(action: KeyAction): void;
  /** Whether the key is within the scope. */
  sees(key: Key): Promise<boolean>;
  /** The key of the folder with everything that is visible; undefined: nothing is. */
  topKey(): Promise<Key | undefined>;
}

export function createObjectCaller(
  { catalog }: Pick<ObjectsDeps, "catalog">,
  scope: Scope,
  actor: Actor,
): ObjectCaller {
  const within = isLimitedToFolder(scope) ? scope.folderIds : undefined;

  async function topKey(): Promise<Key | undefined> {
    return within === undefined ? ROOT_KEY : (await catalog.topFolder(within))?.key;
  }

  async function findBucket(name: Key): Promise<FolderRecord | undefined> {
    if (!isBucketName(name)) return undefined;
    const top = await topKey();
    const isVisible = top !== undefined && (isInFolder(name, top) || isInFolder(top, name));
    return isVisible ? catalog.folderByKey(name) : undefined;
  }

  return {
    actor,
    within,
    findBucket,
    topKey,

    async requireBucket(name) {
      const bucket = await findBucket(name);
      if (bucket === undefined) throw noSuchBucket(name);
      return bucket;
    },

    may: (action) => allows(scope, action),

    requireAction(action) {
      if (!allows(scope, action)) throw forbidden(action);
    },

    async sees(key) {
      const top = await topKey();
      return top !== undefined && isInFolder(key, top);
    },
  };
}

export const bucketOf = (key: Key): Key => (keyNames(key)[0] ?? "") as Key;

export const noSuchUpload = (): S3Fault =>
  new S3Fault(
    "NoSuchUpload",
    "The specified multipart upload does not exist. It may have been completed or aborted.",
  );
