import type { HeaderFields } from "../connection/reply.ts";
import { CORS } from "./upload-headers.ts";

/** What scripts of other origins may send. Not `API-Key`: it must not be in such a page. */
const ALLOWED_HEADERS = [
  ...["Content-Type", "Content-Digest", "Repr-Digest", "X-HTTP-Method-Override"],
  ...["Tus-Resumable", "Upload-Length", "Upload-Defer-Length", "Upload-Offset"],
  ...["Upload-Metadata", "Upload-Checksum", "Upload-Complete", "Upload-Draft-Interop-Version"],
  ...["X-Request-ID", "X-Requested-With"],
];

/** The headers of the response to a CORS preflight at a URL with a secret. */
export const preflightHeaders = (methods: readonly string[]): HeaderFields => ({
  "Access-Control-Allow-Methods": methods.join(", "),
  "Access-Control-Allow-Headers": ALLOWED_HEADERS.join(", "),
  "Access-Control-Max-Age": "86400",
});

/** The response to a CORS preflight; null: the request is none. */
export function preflight(
  { method, headers }: Request,
  methods: readonly string[],
): Response | null {
  if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return null;
  return new Response(null, { status: 204, headers: { ...CORS, ...preflightHeaders(methods) } });
}
