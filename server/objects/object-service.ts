import type { Charset } from "../../contract/text/charset.ts";
import type { Slice } from "../blobs/port.ts";
import type {
  BucketLifecycleChange,
  BucketPolicyChange,
  BucketSettingChange,
  BucketSettings,
  ExpectedObject,
  ObjectList,
  ObjectListRequest,
  ObjectToRemove,
  RemovedObjects,
} from "../catalog/port/objects.ts";
import type { Authorized } from "../domain/callers/authorize.ts";
import type { Caller, SeenBy } from "../domain/callers/caller.ts";
import type {
  BlobId,
  FileRecord,
  FolderRecord,
  Key,
  MetadataText,
  Visibility,
} from "../domain/records.ts";
import type { StoredBlob } from "../files/upload/blob-storage.ts";
import type { S3Attributes } from "../semantics/s3/attributes.ts";
import type { Checksums } from "../semantics/s3/checksums.ts";
import type {
  MultipartAttributes,
  MultipartRecord,
  PartRecord,
} from "../semantics/s3/multipart.ts";
import type { ObjectPlace } from "../semantics/s3/object-key.ts";
import type { Tags } from "../semantics/s3/tags.ts";

/**
 * The operations of the S3 API. Keys are whole: the bucket and the key in it. What the caller does not see
 * is missing; callers without the action were refused before: see `authorize`. Faults of missing things and
 * conflicts are `S3Fault`s.
 */
export interface ObjectService {
  /** By name. Also the bucket that contains the folder of a limited caller. */
  listBuckets(caller: Authorized<"list">): Promise<FolderRecord[]>;
  /** undefined: missing. */
  bucket(caller: Caller, name: Key): Promise<FolderRecord | undefined>;
  createBucket(caller: Authorized<"write">, name: Key): Promise<"created" | "exists">;
  /** NoSuchBucket, BucketNotEmpty. */
  removeBucket(caller: Authorized<"delete">, name: Key): Promise<void>;
  /** undefined: missing. */
  bucketSettings(caller: Caller, name: Key): Promise<BucketSettings | undefined>;
  /** NoSuchBucket; AccessDenied: the caller is limited to a folder in it. */
  setBucketSetting(caller: Authorized<"write">, change: BucketSettingChange): Promise<void>;
  /**
   * The document of the policy; undefined: there is none, or a file in its folder is private now, so that it is
   * not true.
   */
  bucketPolicy(caller: Caller, name: Key): Promise<string | undefined>;
  /** Faults: same as `setBucketSetting`, and those of the catalog. */
  setBucketPolicy(caller: Authorized<"write">, change: BucketPolicyChange): Promise<void>;
  /**
   * Faults: same as `setBucketSetting`; ObjectParentIsFile: an object has the key of a prefix; InvalidArgument: no folder
   * can have the name of a prefix.
   */
  setBucketLifecycle(
    caller: Authorized<"write" | "delete">,
    change: Omit<BucketLifecycleChange, "folders">,
  ): Promise<void>;
  /** NoSuchBucket. */
  list(caller: Authorized<"list">, request: ObjectListRequest): Promise<ObjectList>;
  /** undefined: missing. */
  find(caller: Authorized<"read">, key: Key): Promise<FileRecord | undefined>;
  /** Whether the caller sees the object, which may be an explicit folder. */
  exists(caller: SeenBy, place: ObjectPlace): Promise<boolean>;
  /** NoSuchBucket, NoSuchKey. They take the place of all that the object has. */
  setTags(caller: Authorized<"write">, key: Key, tags: Tags): Promise<FileRecord>;
  /** The explicit folder with this key, which is the object with a slash after it. */
  findFolder(caller: Authorized<"read">, key: Key): Promise<FolderRecord | undefined>;
  /**
   * Stores the bytes of an object, for `put`, which must follow at once: nothing else removes them. EntityTooLarge; a
   * large object is also refused for what `put` would refuse it.
   */
  store(caller: Authorized<"write">, object: ObjectToStore): Promise<StoredBlob>;
  /** NoSuchBucket, NoSuchKey, PreconditionFailed, ObjectParentIsFile, ExistingObjectIsDirectory. */
  put(caller: Authorized<"write">, object: ObjectToPut): Promise<FileRecord>;
  /** Faults: same as `put`. */
  putFolder(caller: Authorized<"write">, key: Key, expect?: ExpectedObject): Promise<FolderRecord>;
  /** Faults: same as `put`. The store copies the bytes. */
  copy(caller: Authorized<"write">, object: ObjectToCopy): Promise<FileRecord>;
  /** Absent objects are no error. Objects that are not as expected stay. */
  remove(
    caller: Authorized<"discard">,
    objects: readonly ObjectToRemove[],
  ): Promise<RemovedObjects>;
  readonly multipart: MultipartService;
}

interface ObjectProperties {
  readonly key: Key;
  /** As declared; undefined: from the name. */
  readonly mimeType: string | undefined;
  /** Default: null. */
  readonly charset?: Charset;
  readonly metadata: MetadataText | null;
  /** Same as in `NewObject`. */
  readonly visibility: Visibility | null;
}

export interface ObjectToStore {
  readonly key: Key;
  /** In bytes; undefined: unknown. */
  readonly length: number | undefined;
  /** Nothing is stored if it throws. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly expect?: ExpectedObject | undefined;
}

export interface ObjectToCommit extends ObjectProperties {
  readonly expect?: ExpectedObject | undefined;
  readonly attributes: S3Attributes;
}

export interface ObjectToPut extends ObjectToCommit {
  readonly blob: StoredBlob;
}

export interface ObjectToCopy extends ObjectToCommit {
  readonly source: FileRecord;
}

/** NoSuchUpload: there is no such unfinished upload of this key. */
export interface MultipartService {
  create(
    caller: Authorized<"write">,
    input: { readonly key: Key } & Omit<MultipartAttributes, "mimeType"> & {
        readonly mimeType: string | undefined;
      },
  ): Promise<MultipartRecord>;
  /** Also a finished one, whose `complete` gives the same answer. */
  find(caller: SeenBy, id: string, key: Key): Promise<MultipartRecord>;
  /** Stores the bytes of a part, for `putPart`, which must follow at once: nothing else removes them. */
  storePart(caller: Authorized<"write">, part: PartToStore): Promise<StoredPart>;
  putPart(caller: Authorized<"write">, part: PartToPut): Promise<PartRecord>;
  copyPart(caller: Authorized<"write">, part: PartToCopy): Promise<PartRecord>;
  /** Stored parts in order, after the one with this number. */
  parts(
    caller: Authorized<"list"> | Authorized<"write">,
    id: string,
    key: Key,
    after: number,
    limit: number,
  ): Promise<{ parts: PartRecord[]; more: boolean }>;
  /** InvalidPart: a chosen part was replaced since it was read. Others: same as `put`. */
  complete(caller: Authorized<"write">, completion: Completion): Promise<FileRecord>;
  abort(caller: Authorized<"write">, id: string, key: Key): Promise<void>;
  list(caller: Authorized<"list">, request: MultipartPageRequest): Promise<MultipartPage>;
}

export interface Completion {
  readonly id: string;
  readonly key: Key;
  /** Records that `parts` returned, in ascending order. */
  readonly parts: readonly PartRecord[];
  readonly expect?: ExpectedObject | undefined;
  readonly attributes: S3Attributes;
}

export interface PartToStore {
  readonly id: string;
  readonly key: Key;
  readonly number: number;
  /** In bytes; undefined: unknown. */
  readonly length: number | undefined;
  /** Nothing is stored if it throws. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The bytes of a part, which have no record yet. */
export interface StoredPart extends Pick<PartToStore, "id" | "number"> {
  readonly size: number;
  /** The CRC-32. */
  readonly checksum: number;
  /** The part's own blob; null for a part in place. */
  readonly blobId: BlobId | null;
  /** The claim on the place, for a part in place. */
  readonly claim: string | undefined;
  /** Gives up the place, or removes the blob. */
  drop(): Promise<void>;
  /** Keeps both, as the part may have been stored. */
  keep(): void;
}

export interface PartToPut {
  readonly stored: StoredPart;
  /** In lower-case hex. */
  readonly md5: string;
  readonly checksums: Checksums;
  /** Same as in `NewPart`. */
  readonly isPrivate?: boolean | undefined;
}

export interface PartToCopy extends Pick<PartToStore, "id" | "key" | "number"> {
  readonly source: FileRecord;
  /** Default: the whole content. */
  readonly slice?: Slice | undefined;
}

/** Prefixes and positions are relative to the bucket. */
export interface MultipartPageRequest {
  readonly bucket: Key;
  readonly prefix: string;
  readonly delimiter?: string | undefined;
  /** "" as the id: after all uploads of this key, or after this common prefix. */
  readonly after?: { readonly key: string; readonly id: string } | undefined;
  readonly limit: number;
}

export interface MultipartPage {
  /** In order; a common prefix is among them. */
  readonly entries: readonly (
    | { readonly kind: "upload"; readonly upload: MultipartRecord }
    | { readonly kind: "prefix"; readonly prefix: string }
  )[];
  readonly more: boolean;
}
