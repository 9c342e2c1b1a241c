import type { Millis } from "../../domain/records.ts";
import type { Tags } from "../../semantics/s3/tags.ts";

/** An object as the source lists it. */
export interface ListedObject {
  readonly key: string;
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly modifiedAt: Millis;
}

/** An object that is being read. */
export interface OpenObject {
  /** The headers of the response, each byte as one character. */
  readonly headers: Headers;
  /**
   * The bytes, all of the listed content. Throws `SourceChanged` if the object is replaced or removed
   * meanwhile, and S3Error.
   */
  readonly chunks: AsyncGenerator<Uint8Array, void, void>;
  /** Ends the request, also if no chunk was read. */
  close(): Promise<void>;
}

export interface ObjectAccess {
  /** Whether everyone may read the object. */
  readonly isPublic: boolean;
  /** The rights in its ACL that an import cannot keep. Each text ends a sentence that begins with the key. */
  readonly losses: readonly string[];
}

/** The bucket that is imported. Every method throws S3Error. */
export interface SourceBucket {
  /** The objects whose keys begin with the prefix, in the order of the source. */
  list(prefix: string): AsyncGenerator<ListedObject, void, void>;
  /** The object as it is now; undefined: it does not exist. */
  find(
    key: string,
  ): Promise<{ readonly object: ListedObject; readonly headers: Headers } | undefined>;
  /** Throws `SourceChanged` if the object is not the listed one any more. */
  open(object: ListedObject): Promise<OpenObject>;
  /** The sizes of the parts of a multipart upload; undefined: the source does not tell. One request for each part. */
  partSizes(object: ListedObject, count: number): Promise<readonly number[] | undefined>;
  /** Same as `partSizes`, with two requests if all parts but the last seem to have one size. */
  likelyPartSizes(object: ListedObject, count: number): Promise<readonly number[] | undefined>;
  /** `headers`: those of the object. */
  tags(key: string, headers: Headers): Promise<Tags>;
  access(key: string): Promise<ObjectAccess>;
  /** Whether the source replies to requests. */
  isAlive(): Promise<boolean>;
  /** What the bucket has besides its objects, each as a sentence. */
  readonly notes: readonly string[];
  /** Whether an ETag that looks like an MD5 is one. */
  readonly hasMd5Etags: boolean;
}

/** The object was replaced or removed since it was listed. */
export class SourceChanged extends Error {
  override readonly name = "SourceChanged";
}
