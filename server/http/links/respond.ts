import { gzipSync } from "node:zlib";
import { accepts } from "../../semantics/accepts.ts";
import type { HeaderFields } from "../connection/reply.ts";
import {
  contentPolicy,
  ownWindow,
  scriptsWith,
  securityHeaders,
} from "../pages/security-headers.ts";

/** The headers of every response below `/s/`: the URL is a secret, so it goes nowhere else. */
export const LINK_HEADERS: HeaderFields = {
  "Cache-Control": "private, no-store",
  ...securityHeaders("no-referrer"),
  "X-Robots-Tag": "noindex, nofollow",
};

function policyWith({ nonce, isSandboxed }: PageResponse): string {
  const scripts = nonce === undefined ? [] : [scriptsWith(nonce)];
  const policy = contentPolicy(...scripts, "img-src 'self'", "media-src 'self'");
  // First, as in the policy of the hosted files that the page stands for.
  return isSandboxed === true ? `sandbox; ${policy}` : policy;
}

export interface PageResponse {
  /** The nonce of the scripts in the page. Absent: the page has none. */
  readonly nonce?: string;
  readonly status?: number;
  readonly headers?: HeaderFields;
  /** The page has an opaque origin, like the uploaded pages that its URL may have shown before. */
  readonly isSandboxed?: true;
  /** The page as gzip, if the caller keeps it. */
  readonly gzipped?: Uint8Array<ArrayBuffer>;
}

/** A page, compressed if the client can read that. */
export function pageResponse(page: string, request: Request, options: PageResponse): Response {
  const headers = new Headers({
    ...LINK_HEADERS,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policyWith(options),
    // Browsers refuse to show a sandboxed page that has this header.
    ...(options.isSandboxed === true ? {} : ownWindow),
    Vary: "Accept, Accept-Encoding, Cookie",
    ...options.headers,
  });
  const status = options.status ?? 200;
  if (!accepts(request.headers.get("accept-encoding"), "gzip")) {
    return new Response(page, { status, headers });
  }
  headers.set("Content-Encoding", "gzip");
  return new Response(options.gzipped ?? gzipSync(page), { status, headers });
}

/** What hosting allows for public files, which a shared file gets nothing of. */
const HOSTING_ONLY = ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Expires"];

/** A response with a shared file: private for caches and for other sites, also if the file is public. */
export function asShared(response: Response): Response {
  for (const name of HOSTING_ONLY) response.headers.delete(name);
  for (const [name, value] of Object.entries(LINK_HEADERS)) response.headers.set(name, value);
  response.headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return response;
}
