import { encodeExtended, parse } from "content-disposition";

/**
 * Not allowed in `filename`, as the header cannot contain it or clients misread it: anything but
 * printable ASCII, quotes, backslashes, and text that looks like percent-encoding.
 */
const UNSAFE = /[^\x20-\x7e]|["\\]|%(?=[0-9A-Fa-f]{2})/gu;

/**
 * The `Content-Disposition` of a file: its name in ASCII as `filename`, with "_" for unsafe
 * characters, and the exact name in UTF-8 as `filename*` (RFC 6266, RFC 8187). The result is printable
 * ASCII for any well-formed name.
 */
export function contentDisposition(type: "inline" | "attachment", name: string): string {
  return `${type}; filename="${name.replace(UNSAFE, "_")}"; filename*=${encodeExtended(name)}`;
}

/** The file name in such a header, without folders. undefined: it has none. */
export function fileNameOf(header: string): string | undefined {
  try {
    const { filename = "" } = parse(header).parameters;
    return filename.split(/[/\\]/).at(-1) || undefined;
  } catch {
    return undefined;
  }
}
