import { gzipSync } from "node:zlib";
import { accepts } from "../../semantics/accepts.ts";
import type { Page } from "./pages.ts";

/** Responds with a static page or file; text is compressed if the client can read that. */
export function pageResponse({ body, headers }: Page, request: Request): Response {
  if (typeof body !== "string") return new Response(body, { headers });
  const varying = { ...headers, Vary: "Accept-Encoding" };
  if (!accepts(request.headers.get("accept-encoding"), "gzip")) {
    return new Response(body, { headers: varying });
  }
  return new Response(compressed(body), { headers: { ...varying, "Content-Encoding": "gzip" } });
}

/** By text: there are few pages, which never change. */
const cache = new Map<string, Uint8Array<ArrayBuffer>>();

function compressed(text: string): Uint8Array<ArrayBuffer> {
  const cached = cache.get(text) ?? new Uint8Array(gzipSync(text, { level: 9 }));
  cache.set(text, cached);
  return cached;
}
