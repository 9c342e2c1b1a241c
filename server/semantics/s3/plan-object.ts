import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { endsIn } from "../../domain/lifetime.ts";
import type { FileRecord, Millis } from "../../domain/records.ts";
import { limitCacheControl } from "../cache-control.ts";
import { checkIfRange } from "../conditions.ts";
import { httpDate } from "../etag.ts";
import { parseRange, type Slice } from "../parse-range.ts";
import { fileHeaders } from "../plan-delivery.ts";
import { readS3Attributes, type S3Attributes } from "./attributes.ts";
import { CHECKSUM_ALGORITHMS, checksumHeader } from "./checksums.ts";
import { objectEtag } from "./object-etag.ts";
import { metadataHeaders } from "./object-metadata.ts";
import { contentTypeOf } from "./object-type.ts";
import { checkReadConditions, quoted, type ReadConditions } from "./read-conditions.ts";

export interface ObjectRequest extends ReadConditions {
  readonly range: string | null;
  readonly ifRange: string | null;
  /** The part of a multipart upload that is requested; undefined: the whole object. */
  readonly partNumber: number | undefined;
  /** The client asks for the checksums. */
  readonly checksums: boolean;
  /** The client may know how many tags the object has. */
  readonly countsTags: boolean;
  /** Headers that replace the object's own, by name in lower case. */
  readonly overrides: Readonly<Record<string, string>>;
}

export type ObjectPlan =
  | { readonly status: 304; readonly headers: Record<string, string>; readonly slice?: never }
  | {
      readonly status: 200 | 206;
      readonly headers: Record<string, string>;
      readonly slice?: Slice;
    };

/**
 * Plans the response to GET or HEAD of an object. Unlike hosting, private objects have validators too. `now`: the clock
 * that lifetimes count by.
 * S3Faults "PreconditionFailed", "InvalidRange", "InvalidPart", "InvalidRequest".
 */
export function planObject(
  request: ObjectRequest,
  file: FileRecord,
  now: () => Millis,
): ObjectPlan {
  const etag = objectEtag(file);
  const attributes = readS3Attributes(file.s3);
  const verdict = checkReadConditions(request, { etag, modifiedAt: file.modifiedAt });
  if (verdict === "failed") {
    throw new S3Fault("PreconditionFailed", "The object does not match the conditions.");
  }
  const own = { ...metadataHeaders(file.metadata), ...request.overrides };
  const caching = limitedCaching(own, file, now);
  const validators = { ETag: `"${etag}"`, "Last-Modified": httpDate(file.modifiedAt) };
  if (verdict === "unchanged") {
    return { status: 304, headers: { ...fileHeaders, ...validators, ...caching } };
  }
  const slice = sliceOf(request, file, attributes);
  const headers: Record<string, string> = {
    ...fileHeaders,
    ...validators,
    "content-type": contentTypeOf(file, attributes),
    ...own,
    ...caching,
  };
  if (attributes?.storageClass !== undefined) {
    headers["x-amz-storage-class"] = attributes.storageClass;
  }
  if (request.countsTags && attributes?.tags !== undefined) {
    headers["x-amz-tagging-count"] = String(attributes.tags.length);
  }
  if (request.checksums && (slice === undefined || request.range === null)) {
    Object.assign(headers, checksumHeaders(checksumsOf(attributes, request.partNumber)));
  }
  if (request.partNumber !== undefined && attributes?.parts !== undefined) {
    headers["x-amz-mp-parts-count"] = String(attributes.parts.length);
  }
  if (slice === undefined) {
    headers["Content-Length"] = String(file.size);
    return { status: 200, headers };
  }
  headers["Content-Length"] = String(slice.end - slice.start);
  headers["Content-Range"] = `bytes ${slice.start}-${slice.end - 1}/${file.size}`;
  return { status: 206, headers, slice };
}

/**
 * Returns the caching headers of an object that ends, limited so that no cache keeps it for longer. A 304 needs them too,
 * because a cache then counts its stored `max-age` anew.
 */
function limitedCaching(
  { "cache-control": cacheControl, expires }: Readonly<Record<string, string>>,
  file: FileRecord,
  now: () => Millis,
): Record<string, string> {
  const seconds = endsIn(file, now);
  if (seconds === undefined) return {};
  if (expires === undefined) {
    return { "cache-control": limitCacheControl(cacheControl ?? "", seconds) };
  }
  // A value that is no date means the past (RFC 9111, section 5.3).
  const end = Math.min(Date.parse(expires) || 0, now() + seconds * 1000);
  const limited = { expires: httpDate(end) };
  if (cacheControl === undefined) return limited;
  // A `max-age` takes the place of `Expires`, so it must promise no more.
  const age = Math.max(0, Math.floor((end - now()) / 1000));
  return { ...limited, "cache-control": limitCacheControl(cacheControl, seconds, age) };
}

/** The checksums of the object, or of one of its parts as far as they are known. */
function checksumsOf(
  attributes: S3Attributes | null,
  partNumber: number | undefined,
): ObjectChecksums | null {
  if (partNumber === undefined || attributes?.parts === undefined) return attributes;
  const [algorithm] = Object.keys(attributes.checksums ?? {});
  const checksum = attributes.partChecksums?.[partNumber - 1];
  if (algorithm === undefined || checksum === undefined) return null;
  return { ...attributes, checksums: { [algorithm]: checksum } };
}

type ObjectChecksums = Pick<S3Attributes, "checksums" | "checksumType">;

/** Headers with the checksums that were given or computed when the object was stored. */
export function checksumHeaders(attributes: ObjectChecksums | null): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const algorithm of CHECKSUM_ALGORITHMS) {
    const value = attributes?.checksums?.[algorithm];
    if (value === undefined) continue;
    headers[checksumHeader(algorithm)] = value;
    headers["x-amz-checksum-type"] = attributes?.checksumType ?? "FULL_OBJECT";
  }
  return headers;
}

function sliceOf(
  { range, ifRange, partNumber }: ObjectRequest,
  file: FileRecord,
  attributes: S3Attributes | null,
): Slice | undefined {
  const { size } = file;
  if (partNumber !== undefined) {
    if (range !== null) {
      throw new S3Fault("InvalidRequest", "Range and partNumber exclude each other.");
    }
    return partSlice(partNumber, size, attributes?.parts);
  }
  const current = checkIfRange(quoted(ifRange), `"${objectEtag(file)}"`, file.modifiedAt);
  const parsed = current === "false" ? "whole" : parseRange(range, size);
  if (parsed === "unsatisfiable") {
    throw new S3Fault(
      "InvalidRange",
      `The range starts past the end of the object, which has ${size} bytes.`,
      { fields: { RangeRequested: range ?? "", ActualObjectSize: String(size) } },
    );
  }
  return parsed === "whole" ? undefined : parsed;
}

/** An object that was not uploaded in parts has one. */
function partSlice(
  number: number,
  size: number,
  parts: readonly number[] = [size],
): Slice | undefined {
  const length = parts[number - 1];
  if (length === undefined) {
    throw new S3Fault("InvalidPart", `The object has ${parts.length} parts.`);
  }
  const start = parts.slice(0, number - 1).reduce((sum, part) => sum + part, 0);
  return length === 0 ? undefined : { start, end: start + length };
}
