import type { Charset } from "../../../contract/text/charset.ts";
import type { MetadataText, Visibility } from "../../domain/records.ts";
import type { Tags } from "../../semantics/s3/tags.ts";
import { carryTags, readCarried } from "./carried.ts";
import { type ExpectedContent, isEncryptedOtherwise, partCountOf } from "./content-check.ts";
import type { ListedObject, SourceBucket } from "./source-bucket.ts";

/** What an object gets besides its bytes, and what these must be. */
export interface ObjectProperties {
  readonly stored: {
    readonly mimeType: string;
    readonly charset: Charset;
    readonly metadata: MetadataText | null;
    readonly visibility: Visibility;
  };
  readonly attributes: { readonly storageClass?: string; readonly tags?: Tags };
  readonly content: ExpectedContent;
  /** Each as the end of a sentence that begins with the key. */
  readonly losses: readonly string[];
}

export interface PropertiesRequest {
  readonly source: SourceBucket;
  readonly object: ListedObject;
  /** Those of a response with the whole object, or of HEAD. */
  readonly headers: Headers;
  /** Those of a GET, which may tell that there are no tags. */
  readonly tagHeaders: Headers | undefined;
  /** undefined: that of the object at the source. */
  readonly visibility: Visibility | undefined;
}

export async function readProperties(request: PropertiesRequest): Promise<ObjectProperties> {
  const { source, object, headers, tagHeaders } = request;
  const { key, size, etag } = object;
  const hasMd5Etag = source.hasMd5Etags && !isEncryptedOtherwise(headers);
  const parts = hasMd5Etag ? partCountOf(etag) : undefined;
  const partSizes = parts === undefined ? undefined : await source.partSizes(object, parts);
  const { mimeType, charset, metadata, storageClass, losses } = readCarried(lastName(key), headers);
  const carriedTags = carryTags(await source.tags(key, tagHeaders));
  const { tags } = carriedTags;
  const visibility = request.visibility ?? ((await source.isPublic(key)) ? "public" : "private");
  return {
    stored: { mimeType, charset, metadata, visibility },
    attributes: {
      ...(storageClass === undefined ? {} : { storageClass }),
      ...(tags.length === 0 ? {} : { tags }),
    },
    content: { size, etag, hasMd5Etag, partSizes, headers },
    losses: [...losses, ...carriedTags.losses],
  };
}

/** The last segment of an object's key. */
export const lastName = (objectKey: string): string =>
  objectKey.slice(objectKey.lastIndexOf("/") + 1);
