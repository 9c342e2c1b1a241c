import type { Charset } from "../../contract/text/charset.ts";
import type { Slice } from "../blobs/port.ts";
import type {
  ExpectedObject,
  ObjectList,
  ObjectListRequest,
  ObjectToRemove,
  RemovedObjects,
} from "../catalog/port/objects.ts";
import type {
  FileRecord,
  FolderRecord,
  Key,
  KeyAction,
  MetadataText,
  Visibility,
} from "../domain/records.ts";
import type { S3Attributes } from "../semantics/s3/attributes.ts";
import type { Checksums } from "../semantics/s3/checksums.ts";
import type {
  MultipartAttributes,
  MultipartRecord,
  PartRecord,
} from "../semantics/s3/multipart.ts";

/**
 * The operations of the S3 API for one caller. Keys are whole: the bucket and the key in it. What is
 * outside the caller's scope is missing; on what is inside, an operation without its action has the
 * fault "forbidden". Faults of missing things and conflicts are `S3Fault`s.
 */
export interface ObjectService {
  /** By name. Also the bucket that contains the folder of a limited caller. */
  listBuckets(): Promise<FolderRecord[]>;
  /** undefined: missing. */
  bucket(name: Key): Promise<FolderRecord | undefined>;
  createBucket(name: Key): Promise<"created" | "exists">;
  /** NoSuchBucket, BucketNotEmpty. */
  removeBucket(name: Key): Promise<void>;
  /** NoSuchBucket. */
  list(request: Omit<ObjectListRequest, "within">): Promise<ObjectList>;
  /** undefined: missing. */
  find(key: Key, action: KeyAction): Promise<FileRecord | undefined>;
  /** The explicit folder with this key, which is the object with a slash after it. */
  findFolder(key: Key, action: KeyAction): Promise<FolderRecord | undefined>;
  /** NoSuchBucket, NoSuchKey, PreconditionFailed, ObjectParentIsFile, ExistingObjectIsDirectory. */
  put(object: ObjectToPut): Promise<FileRecord>;
  /** Faults: same as `put`. */
  putFolder(key: Key, expect?: ExpectedObject): Promise<FolderRecord>;
  /** Faults: same as `put`. The store copies the bytes. */
  copy(object: ObjectToCopy): Promise<FileRecord>;
  /** Absent objects are no error. Objects that are not as expected stay. */
  remove(objects: readonly ObjectToRemove[]): Promise<RemovedObjects>;
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

export interface ObjectToPut extends ObjectProperties {
  /** In bytes; undefined: unknown. */
  readonly length: number | undefined;
  /** Nothing is stored if it throws. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly expect?: ExpectedObject | undefined;
  /** Called after the last chunk. Nothing is stored if it throws. */
  readonly attributes: () => S3Attributes;
}

export interface ObjectToCopy extends ObjectProperties {
  readonly source: FileRecord;
  readonly expect?: ExpectedObject | undefined;
  readonly attributes: S3Attributes;
}

/** NoSuchUpload: there is no such unfinished upload of this key. */
export interface MultipartService {
  create(
    input: { readonly key: Key } & Omit<MultipartAttributes, "mimeType"> & {
        readonly mimeType: string | undefined;
      },
  ): Promise<MultipartRecord>;
  /** Also a finished one, whose `complete` gives the same answer. */
  find(id: string, key: Key): Promise<MultipartRecord>;
  putPart(part: PartToPut): Promise<PartRecord>;
  copyPart(part: PartToCopy): Promise<PartRecord>;
  /** Stored parts in order, after the one with this number. */
  parts(
    id: string,
    key: Key,
    after: number,
    limit: number,
  ): Promise<{ parts: PartRecord[]; more: boolean }>;
  /** InvalidPart: a chosen part was replaced since it was read. Others: same as `put`. */
  complete(input: {
    readonly id: string;
    readonly key: Key;
    /** Records that `parts` returned, in ascending order. */
    readonly parts: readonly PartRecord[];
    readonly expect?: ExpectedObject | undefined;
    readonly attributes: S3Attributes;
  }): Promise<FileRecord>;
  abort(id: string, key: Key): Promise<void>;
  list(request: MultipartPageRequest): Promise<MultipartPage>;
}

export interface PartToPut {
  readonly id: string;
  readonly key: Key;
  readonly number: number;
  readonly length: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** Same as in `NewPart`. */
  readonly isPrivate?: boolean | undefined;
  /** Called after the last chunk. */
  readonly sums: () => {
    readonly md5: string;
    readonly checksums: Checksums;
  };
}

export interface PartToCopy extends Omit<PartToPut, "length" | "body" | "isPrivate" | "sums"> {
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
