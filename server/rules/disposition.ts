import { encodeExtended } from "content-disposition";

/**
 * What clients that know only `filename` get wrong or the header cannot hold: anything but
 * printable ASCII, quotes and backslashes, and what looks like percent-encoding.
 */
const UNSAFE = /[^\x20-\x7e]|["\\]|%(?=[0-9A-Fa-f]{2})/gu;

/**
 * The `Content-Disposition` of a file: its name in ASCII as `filename`, with "_" for what cannot
 * be said there, and unchanged in UTF-8 as `filename*` (RFC 6266, RFC 8187). Always printable
 * ASCII, whatever the name, as long as it is well-formed.
 */
export function contentDisposition(type: "inline" | "attachment", name: string): string {
  return `${type}; filename="${name.replace(UNSAFE, "_")}"; filename*=${encodeExtended(name)}`;
}
