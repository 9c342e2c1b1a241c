import { type Charset, declaredCharset } from "../../../contract/text/charset.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { MetadataText } from "../../domain/records.ts";
import { headerText } from "../../semantics/s3/header-text.ts";
import { objectMetadata } from "../../semantics/s3/object-metadata.ts";
import { keptContentType, objectType } from "../../semantics/s3/object-type.ts";
import { isArchive, readStorageClass } from "../../semantics/s3/storage-class.ts";
import { checkTags, MAX_OBJECT_TAGS, type Tags } from "../../semantics/s3/tags.ts";

/** What an object keeps besides its content, and what it cannot keep. */
export interface Carried {
  readonly mimeType: string;
  readonly charset: Charset;
  readonly metadata: MetadataText | null;
  readonly storageClass: string | undefined;
  /** Same as in `S3Attributes`. */
  readonly contentType: string | undefined;
  /** Each as the end of a sentence that begins with the key. */
  readonly losses: readonly string[];
}

/** Headers of objects that the server does not have. */
const LOST: readonly (readonly [header: string, loss: string])[] = [
  ["x-amz-website-redirect-location", "its redirect to another page was not carried"],
  ["x-amz-object-lock-mode", "its retention was not carried"],
  ["x-amz-missing-meta", "the source does not send all of its metadata"],
];

/** `name`: the last segment of the key. `headers`: those of the source, each byte as one character. */
export function readCarried(name: string, headers: Headers): Carried {
  const losses = LOST.flatMap(([header, loss]) => (headers.has(header) ? [loss] : []));
  const attempt = <T>(what: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof S3Fault)) throw error;
      losses.push(`its ${what} was not carried: ${error.message}`);
      return undefined;
    }
  };
  const type = headers.get("content-type");
  return {
    mimeType: objectType(name, type),
    charset: declaredCharset(type),
    contentType: keptContentType(type),
    metadata:
      attempt("metadata", () =>
        objectMetadata(
          Array.from(headers, ([header, value]) => [header, headerText(value)] as const),
        ),
      ) ?? null,
    storageClass: attempt("storage class", () =>
      readStorageClass(headers.get("x-amz-storage-class")),
    ),
    losses,
  };
}

/** Whether the content has to be restored before it can be read. */
export const isArchived = (headers: Headers): boolean =>
  isArchive(headers.get("x-amz-storage-class")) &&
  headers.get("x-amz-restore")?.includes('ongoing-request="false"') !== true;

/** The tags, or none with the reason. */
export function carryTags(tags: Tags): { readonly tags: Tags; readonly losses: readonly string[] } {
  try {
    return { tags: checkTags(tags, MAX_OBJECT_TAGS), losses: [] };
  } catch (error) {
    if (!(error instanceof S3Fault)) throw error;
    return { tags: [], losses: [`its tags were not carried: ${error.message}`] };
  }
}
