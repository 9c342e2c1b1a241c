import { charsetLabel } from "../../contract/text/charset.ts";
import { typeWithCharset } from "../domain/media.ts";
import type { FileRecord } from "../domain/records.ts";
import { limitCacheControl } from "./cache-control.ts";
import {
  type Condition,
  checkIfMatch,
  checkIfModifiedSince,
  checkIfNoneMatch,
  checkIfRange,
  checkIfUnmodifiedSince,
} from "./conditions.ts";
import { readDeliverable } from "./deliverable-metadata.ts";
import { digestField, wantsDigest } from "./digest-fields.ts";
import { contentDisposition } from "./disposition.ts";
import { parseDispositionHeader } from "./disposition-header.ts";
import { etag, httpDate } from "./etag.ts";
import type { FileMetadata } from "./file-metadata.ts";
import { pairHeaders } from "./pair-headers.ts";
import { parseRange, type Slice } from "./parse-range.ts";

/** The request headers that affect how a file is sent. null: the header is absent. */
export interface DeliveryRequest {
  readonly range: string | null;
  readonly ifMatch: string | null;
  readonly ifUnmodifiedSince: string | null;
  readonly ifNoneMatch: string | null;
  readonly ifModifiedSince: string | null;
  readonly ifRange: string | null;
  /** `Want-Repr-Digest`, for a private file; for a public one it makes no difference. */
  readonly wantReprDigest: string | null;
}

export type DeliveredFile = Pick<
  FileRecord,
  "name" | "mimeType" | "charset" | "size" | "sha256" | "metadata" | "visibility" | "modifiedAt"
>;

/** Who sends a file: this server, the store after a redirect, or the reverse proxy. */
export type DeliveryMode = "stream" | "redirect" | "x-accel" | "x-sendfile";

/**
 * What the URL says besides the key: a signature in the query, or the token of a signed folder in the path, which
 * give access to pages of every origin; or the current version, so that the response never changes.
 */
export type UrlKind = "signature" | "token" | "lasting";

export interface DeliveryOptions {
  readonly disposition: "inline" | "attachment";
  /** How long caches keep public files, in seconds. */
  readonly cacheMaxAge: number;
  /** The ETag of other content than the file's. Default: derived from the file. */
  readonly tag?: string;
  /** Whole seconds until the file ends, which no cache may exceed. undefined: it does not end. */
  readonly endsIn?: number | undefined;
  /** "lasting": of public files only. undefined: nothing. */
  readonly urlKind?: UrlKind | undefined;
}

/**
 * The response: 200 with the whole file, 206 with the slice, 304 without a body, or 412 or 416 with an
 * error body, whose type and length the caller adds.
 */
export type Delivery =
  | { status: 200 | 304 | 412 | 416; headers: Record<string, string>; slice?: never }
  | { status: 206; headers: Record<string, string>; slice: Slice };

/**
 * Headers of every response of the two operations that serve files, with any status: ranges are
 * supported, and uploaded content does not run as part of this site.
 */
export const fileHeaders = Object.freeze({
  "Accept-Ranges": "bytes",
  "Content-Security-Policy": "sandbox",
  "X-Content-Type-Options": "nosniff",
});

/**
 * Plans the response to a GET or HEAD of a file that the caller may read (RFC 9110, sections 13.2.2 and
 * 14.2). A private file has no validators, so conditions are ignored for it, and a range with any
 * `If-Range` gets the whole file. Its metadata sets headers, but never `Cache-Control`.
 */
export function planDelivery(
  request: DeliveryRequest,
  file: DeliveredFile,
  options: DeliveryOptions,
): Delivery {
  if (file.visibility !== "public") {
    const current: Condition = request.ifRange === null ? "none" : "false";
    return planBytes(request, current, privateHeaders(file, options), file, options);
  }
  const tag = options.tag ?? etag(file.size, file.modifiedAt);
  const headers = publicHeaders(tag, file, options);
  if (failsPrecondition(request, tag, file)) {
    return { status: 412, headers: { ...headers, "Cache-Control": "no-store" } };
  }
  if (isUnchanged(request, tag, file)) {
    const changed = file.metadata === null ? {} : describingHeaders(file, options);
    return { status: 304, headers: { ...headers, ...changed } };
  }
  const current = checkIfRange(request.ifRange, tag, file.modifiedAt);
  return planBytes(request, current, headers, file, options);
}

/**
 * The digest of the whole file, also with a range (RFC 9530, section 3). Only those who may read a
 * private file get here.
 */
function digestHeader(request: DeliveryRequest, file: DeliveredFile): Record<string, string> {
  if (file.sha256 === null) return {};
  if (file.visibility !== "public" && !wantsDigest(request.wantReprDigest)) return {};
  return { "Repr-Digest": digestField(file.sha256) };
}

/** `If-Match` takes precedence: with it, `If-Unmodified-Since` is ignored. */
function failsPrecondition(request: DeliveryRequest, tag: string, file: DeliveredFile): boolean {
  const match = checkIfMatch(request.ifMatch, tag);
  if (match !== "none") return match === "false";
  return checkIfUnmodifiedSince(request.ifUnmodifiedSince, file.modifiedAt) === "false";
}

/** `If-None-Match` takes precedence: with it, `If-Modified-Since` is ignored. */
function isUnchanged(request: DeliveryRequest, tag: string, file: DeliveredFile): boolean {
  const noneMatch = checkIfNoneMatch(request.ifNoneMatch, tag);
  if (noneMatch !== "none") return noneMatch === "false";
  return checkIfModifiedSince(request.ifModifiedSince, file.modifiedAt) === "false";
}

/** `current`: whether the file is the one that `If-Range` means. */
function planBytes(
  request: DeliveryRequest,
  current: Condition,
  headers: Record<string, string>,
  file: DeliveredFile,
  options: DeliveryOptions,
): Delivery {
  const range = current === "false" ? "whole" : parseRange(request.range, file.size);
  if (range === "unsatisfiable") {
    headers["Content-Range"] = `bytes */${file.size}`;
    // A cached 416 could be sent in response to a request for the whole file.
    if (file.visibility === "public") headers["Cache-Control"] = "no-store";
    return { status: 416, headers };
  }
  Object.assign(headers, digestHeader(request, file));
  headers["Content-Type"] = typeWithCharset(file.mimeType, charsetLabel(file.charset));
  Object.assign(headers, describingHeaders(file, options));
  const { contentEncoding = impliedCoding(file, options) } = readDeliverable(file.metadata);
  if (contentEncoding !== undefined) headers["Content-Encoding"] = contentEncoding;
  if (range === "whole") {
    headers["Content-Length"] = String(file.size);
    return { status: 200, headers };
  }
  headers["Content-Length"] = String(range.end - range.start);
  headers["Content-Range"] = `bytes ${range.start}-${range.end - 1}/${file.size}`;
  return { status: 206, headers, slice: range };
}

/**
 * SVG compressed with gzip has a name and no type of its own. Browsers show it only with its coding. A download keeps the
 * bytes as they are.
 */
const impliedCoding = (
  { name, mimeType }: DeliveredFile,
  { disposition }: DeliveryOptions,
): string | undefined =>
  disposition === "inline" && mimeType === "image/svg+xml" && /\.svgz$/i.test(name)
    ? "gzip"
    : undefined;

/**
 * Headers that metadata may change without changing the ETag. So 304 has them too, and caches update
 * what they have stored (RFC 9110, section 15.4.5).
 */
function describingHeaders(
  { name, metadata }: DeliveredFile,
  { disposition }: DeliveryOptions,
): Record<string, string> {
  if (metadata === null) return { "Content-Disposition": contentDisposition(disposition, name) };
  const fields = readDeliverable(metadata);
  const own = parseDispositionHeader(fields.contentDisposition ?? "");
  // A download stays one.
  const type = disposition === "attachment" ? "attachment" : (own?.type ?? "inline");
  return {
    "Content-Disposition": contentDisposition(type, own?.filename ?? name),
    ...(fields.contentLanguage === undefined ? {} : { "Content-Language": fields.contentLanguage }),
    ...pairHeaders(fields),
  };
}

/*
 * Headers of thousands of files are kept in memory, so those that files have in common are one text.
 */

const EXPOSED = "Accept-Ranges, Content-Disposition, Content-Range, ETag, Repr-Digest";

function exposedHeaders(metadata: Readonly<Record<string, string>>): string {
  const pairs = Object.keys(pairHeaders(metadata));
  return pairs.length === 0 ? EXPOSED : [EXPOSED, ...pairs].join(", ");
}

let latestCacheControl = { maxAge: -1, text: "" };

/** `maxAge` is a setting, which changes rarely. */
function publicCacheControl(maxAge: number): string {
  if (latestCacheControl.maxAge !== maxAge) {
    latestCacheControl = { maxAge, text: `public, max-age=${maxAge}, must-revalidate` };
  }
  return latestCacheControl.text;
}

function publicHeaders(
  tag: string,
  file: DeliveredFile,
  options: DeliveryOptions,
): Record<string, string> {
  const metadata = readDeliverable(file.metadata);
  const headers: Record<string, string> = { ...fileHeaders };
  Object.assign(headers, cachingHeaders(metadata, options));
  headers.ETag = tag;
  headers["Last-Modified"] = httpDate(file.modifiedAt);
  Object.assign(headers, otherOriginHeaders(metadata));
  if (options.urlKind === "token") Object.assign(headers, NO_REFERRER);
  return headers;
}

/** Its owner can forbid caches to keep a file, even at a URL that never means another content. */
const FORBIDS_STORING = /(?:^|[\s,])(?:no-store|private)(?:[\s,=]|$)/i;

function cachingHeaders(
  { cacheControl, expires }: FileMetadata,
  { urlKind, cacheMaxAge, endsIn }: DeliveryOptions,
): Record<string, string> {
  if (endsIn !== undefined) {
    const wanted =
      cacheControl ?? (urlKind === "lasting" ? LASTING : publicCacheControl(cacheMaxAge));
    return { "Cache-Control": limitCacheControl(wanted, endsIn) };
  }
  if (urlKind === "lasting" && !FORBIDS_STORING.test(cacheControl ?? "")) {
    return { "Cache-Control": LASTING };
  }
  const headers = { "Cache-Control": cacheControl ?? publicCacheControl(cacheMaxAge) };
  return expires === undefined ? headers : { ...headers, Expires: expires };
}

const LASTING = "public, max-age=31536000, immutable";

const privateHeaders = (
  { metadata }: DeliveredFile,
  { urlKind }: DeliveryOptions,
): Record<string, string> => ({
  ...fileHeaders,
  "Cache-Control": "private, no-store",
  ...(urlKind === undefined ? {} : otherOriginHeaders(readDeliverable(metadata))),
  ...(urlKind === "token" ? NO_REFERRER : {}),
});

/** Pages of every origin may read the response. Browsers send no credentials for it. */
const otherOriginHeaders = (
  metadata: Readonly<Record<string, string>>,
): Record<string, string> => ({
  "Access-Control-Allow-Origin": "*",
  // Lets scripts of other sites read these headers, which they need for ranges.
  "Access-Control-Expose-Headers": exposedHeaders(metadata),
  "Cross-Origin-Resource-Policy": "cross-origin",
});

/** What a page in the folder links to must not learn the token in its address. */
const NO_REFERRER = { "Referrer-Policy": "no-referrer" };
