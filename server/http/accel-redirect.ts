import type { FileRecord } from "../rules/records.ts";
import type { Deliver } from "./delivery.ts";

/** The header, and its value, that tells a proxy in front where to find the bytes of a file. */
export type SendfileHeader = (file: FileRecord) => readonly [name: string, value: string];

/**
 * Answers without the bytes, which a proxy in front adds: it takes them from where the header says,
 * whole or the one range that the client asks for. Whatever a proxy might understand in another way
 * than we do is sent from here: conditions, which are about our validators, and ranges that are not
 * of the plainest form. So is what has no bytes.
 *
 * In the moment in which content is replaced, the proxy may find its place empty: 404.
 */
export function accelRedirect(deliver: Deliver, where: SendfileHeader): Deliver {
  return async (file, request, disposition) => {
    const response = await deliver(file, request, disposition);
    if (request.method !== "GET" || !isPlain(request.headers, response.status)) return response;
    const headers = new Headers(response.headers);
    headers.delete("Content-Length");
    headers.delete("Content-Range");
    // Proxies add it to whole files by themselves, and it would be there twice.
    if (response.status === 200) headers.delete("Accept-Ranges");
    const [name, value] = where(file);
    headers.set(name, value);
    return new Response(null, { status: 200, headers });
  };
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
