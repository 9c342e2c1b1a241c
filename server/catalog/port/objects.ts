import type { ChangedBy, SeenBy } from "../../domain/callers/caller.ts";
import type {
  FileRecord,
  FolderRecord,
  Key,
  MetadataText,
  Millis,
  NewFile,
  S3Text,
  Visibility,
} from "../../domain/records.ts";
import type { ListedFolder } from "../../domain/tree-change.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { LifecycleRule } from "../../semantics/s3/lifecycle.ts";
import type { BucketPolicy } from "../../semantics/s3/stored-policy.ts";
import type { Tags } from "../../semantics/s3/tags.ts";
import type { KeepsReplaced } from "./keeps-replaced.ts";

/**
 * The tree as the objects of the S3 API. A bucket is a top-level folder. A file is an object; so is
 * an explicit folder without content, under its key with a slash. A folder that was made for an object
 * is implicit: it is no object, and a deletion that leaves it empty removes it.
 */
export interface ObjectTree {
  /** undefined: there is no such bucket, or the caller sees nothing of it. */
  listObjects(caller: SeenBy, request: ObjectListRequest): Promise<ObjectList | undefined>;
  /** Returns the settings of the bucket. undefined: it does not exist. */
  bucketSettings(key: Key): Promise<BucketSettings | undefined>;
  /** The folder with this key, if it is explicit. */
  explicitFolder(caller: SeenBy, key: Key): MaybePromise<FolderRecord | undefined>;
}

/** The settings of a bucket that only the S3 API has, each as text. */
export interface BucketSettings {
  /** The CORS rules in JSON. */
  readonly cors?: string;
  /** The `Tags` in JSON. */
  readonly tags?: string;
  /** The `BucketPolicy` in JSON. */
  readonly policy?: string;
  /** The `StoredLifecycle` in JSON. */
  readonly lifecycle?: string;
  /** "public-read": everyone may list the objects that are public. */
  readonly acl?: string;
  /** Kept for clients that set it: nothing is blocked. */
  readonly publicAccessBlock?: string;
  /** The `ObjectOwnership`. "BucketOwnerEnforced": ACLs are refused. */
  readonly ownership?: string;
  /** "AES256": kept for clients that set it, where all objects are on an encrypted volume. */
  readonly encryption?: string;
}

export interface BucketPolicyChange {
  readonly key: Key;
  /** null: none. */
  readonly policy:
    | (Pick<BucketPolicy, "document" | "lists" | "locates"> & {
        /** The folder whose objects everyone may read. */
        readonly folder?: Key;
      })
    | null;
}

export interface BucketLifecycleChange {
  readonly key: Key;
  /** They take the place of all that it has. */
  readonly rules: readonly LifecycleRule[];
  /** The keys of the folders of the prefixes with which objects end. Missing ones are created. */
  readonly folders: Readonly<Record<string, Key>>;
}

export interface BucketSettingChange {
  readonly key: Key;
  readonly name: Exclude<keyof BucketSettings, "policy" | "lifecycle">;
  /** null: removes it. */
  readonly value: string | null;
}

export interface ObjectTags {
  readonly key: Key;
  /** They take the place of all that it has. */
  readonly tags: Tags;
}

/** Prefix, position and delimiter are text of any form, compared with keys that begin below the bucket. */
export interface ObjectListRequest {
  readonly bucket: Key;
  /** "": all objects. */
  readonly prefix: string;
  /** Entries after this one, in the order of the bytes of whole keys; "": from the first. */
  readonly after: string;
  /** Keys that have it after the prefix are listed once up to its first end; undefined: none is. */
  readonly delimiter?: string | undefined;
  readonly limit: number;
  /** Only files that are public, and prefixes of their keys. */
  readonly onlyPublic?: boolean;
}

export interface ObjectList {
  readonly entries: readonly ObjectEntry[];
  /** Whether there are entries after these. */
  readonly more: boolean;
}

export type ObjectEntry =
  | { readonly kind: "object"; readonly file: FileRecord }
  | { readonly kind: "folder"; readonly folder: ListedFolder }
  /** A common prefix, without the bucket. */
  | { readonly kind: "prefix"; readonly prefix: string };

export interface ObjectChanges {
  /**
   * Makes a file visible, in place of one of the same key: that keeps its id and nothing else. Missing
   * folders are made, but not the bucket.
   *
   * Faults: "not_found": the bucket does not exist, the caller does not see the folder, or `expect` is
   * an ETag and there is no object; "precondition_failed": `expect` is not met; "conflict": a folder has the
   * key, or a file is in its path; "unavailable": `owner` has lost the lease of the blob's block.
   */
  putObject(caller: ChangedBy, input: NewObject): Promise<FileRecord>;
  /**
   * Makes the folder explicit, or creates it. Faults: "not_found": the bucket does not exist, the
   * caller does not see the folder, or `expect` needs an object and there is none; "precondition_failed":
   * `expect` is not met; "conflict": a file has the key, or is in its path.
   */
  putFolderObject(
    caller: ChangedBy,
    input: { readonly key: Key; readonly expect?: ExpectedObject | undefined },
  ): Promise<FolderRecord>;
  /**
   * Removes objects, and the implicit folders that it leaves empty. Absent ones are no error. An
   * explicit folder becomes implicit. An object that is not as expected stays.
   */
  removeObjects(caller: ChangedBy, input: ObjectRemoval): Promise<RemovedObjects>;
  /** Fault "not_found": the bucket does not exist, or the caller does not see all of it. */
  setBucketSetting(caller: ChangedBy, input: BucketSettingChange): Promise<void>;
  /**
   * Sets or removes the policy of the bucket, and opens or closes the folder that it names. Faults: same as
   * `setBucketSetting`; "unprocessable": the folder does not exist; "forbidden": a folder in it is private by default.
   */
  setBucketPolicy(caller: ChangedBy, input: BucketPolicyChange): Promise<void>;
  /**
   * Sets the lifecycle rules of the bucket. Faults: same as `setBucketSetting`; "conflict": a file has the key of one
   * of the folders.
   */
  setBucketLifecycle(caller: ChangedBy, input: BucketLifecycleChange): Promise<void>;
  /** Replaces the tags of the file. Fault "not_found": it does not exist, or the caller does not see it. */
  setObjectTags(caller: ChangedBy, input: ObjectTags): Promise<FileRecord>;
  /**
   * Removes the bucket with its multipart uploads. Faults: "not_found"; "conflict": it contains an
   * object.
   */
  removeBucket(caller: ChangedBy, key: Key): Promise<void>;
}

export interface NewObject extends KeepsReplaced {
  /** The folder; its first segment is the bucket. */
  readonly folder: Key;
  readonly file: NewFile & { readonly s3: S3Text };
  /**
   * null: the default of the folder, or private if it inherits none. A private file stays private when it
   * is replaced.
   */
  readonly visibility: Visibility | null;
  /** null: none. */
  readonly metadata: MetadataText | null;
  readonly expect?: ExpectedObject | undefined;
  /** Who leases the block of the blob. */
  readonly owner: string;
}

/** What must be at the key: nothing, any object, or one with this ETag. */
export type ExpectedObject = "absent" | "present" | { readonly etag: string };

export interface ObjectRemoval {
  readonly objects: readonly ObjectToRemove[];
  /** Files go to the trash, where they are kept for this long from now. Default: they are deleted. */
  readonly keepMs?: number | undefined;
}

export interface ObjectToRemove {
  readonly key: Key;
  /** Whether the object is the folder with this key. */
  readonly isFolder: boolean;
  readonly expect?: RemovalCondition | undefined;
}

/** What an object must have to be removed. An absent object meets every condition. */
export interface RemovalCondition {
  /** Without quotes. */
  readonly etag?: string | undefined;
  /** In bytes. */
  readonly size?: number | undefined;
  /** In whole seconds, as in `Last-Modified`. */
  readonly modifiedAt?: Millis | undefined;
}

export interface RemovedObjects {
  /** In the order given. */
  readonly removed: readonly RemovedObject[];
  /** The positions in the request of those that are not as expected. */
  readonly refused: readonly number[];
}

export interface RemovedObject {
  readonly id: string;
  readonly key: Key;
  readonly isFolder: boolean;
}
