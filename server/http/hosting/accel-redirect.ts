import type { FileRecord } from "../../domain/records.ts";
import { readDeliverable } from "../../semantics/deliverable-metadata.ts";
import type { Deliver } from "./deliver.ts";

/** The header that tells the reverse proxy where a file's blob is: `X-Accel-Redirect` or `X-Sendfile`. */
export type SendfileHeader = (file: FileRecord) => readonly [name: string, value: string];

/**
 * Responds without a body and lets the reverse proxy send the file from its location, whole or the
 * single range that the client requests. This server responds itself to everything that a proxy
 * might interpret differently: conditions, which use our validators, ranges that are not in the
 * simplest form, responses without a file, and files with headers of their own.
 *
 * While a file's content is being replaced, the proxy may find its blob missing and respond 404.
 */
export function accelRedirect(deliver: Deliver, sendfileHeader: SendfileHeader): Deliver {
  return async (file, request, disposition, urlKind) => {
    const response = await deliver(file, request, disposition, urlKind);
    if (request.method !== "GET" || !isPlain(request.headers, response.status)) return response;
    if (hasOtherHeaders(file)) return response;
    const headers = new Headers(response.headers);
    headers.delete("Content-Length");
    headers.delete("Content-Range");
    // Proxies add their own to whole files.
    if (response.status === 200) headers.delete("Accept-Ranges");
    const [name, value] = sendfileHeader(file);
    headers.set(name, value);
    return new Response(null, { status: 200, headers });
  };
}

/** Proxies forward `Cache-Control` and `Content-Disposition`, but may drop other headers of the file. */
function hasOtherHeaders({ metadata }: FileRecord): boolean {
  const { cacheControl, contentDisposition, ...others } = readDeliverable(metadata);
  return Object.keys(others).length > 0;
}

function isPlain(headers: Headers, status: number): boolean {
  if (CONDITIONS.some((condition) => headers.has(condition))) return false;
  const range = headers.get("range");
  return range === null ? status === 200 : status === 206 && PLAIN_RANGE.test(range);
}

const PLAIN_RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/;

const CONDITIONS = [
  "if-match",
  "if-none-match",
  "if-modified-since",
  "if-unmodified-since",
  "if-range",
];
