import mime from "mime";
import { isText } from "../../contract/text/charset.ts";

const UNKNOWN = "application/octet-stream";

/** A type and subtype in lower case (RFC 6838, section 4.2). */
const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/**
 * The media type of a file, in lower case and without parameters: that of the name's extension, else
 * the `declared` one if it is well-formed, else `application/octet-stream`.
 */
export function mediaType(name: string, declared?: string): string {
  const known = mime.getType(extensionOf(name));
  if (known !== null) return known;
  return declared === undefined ? UNKNOWN : (bareType(declared) ?? UNKNOWN);
}

/** The media type of a renamed file: changes only if the extension changes. */
export function mediaTypeAfterRename(oldName: string, newName: string, current: string): string {
  return extensionOf(oldName) === extensionOf(newName) ? current : mediaType(newName);
}

/**
 * The value of `Content-Type`. JSON has no charset parameter (RFC 8259, section 11), and
 * XML declares its own encoding, which the parameter would override (RFC 7303, section 3).
 */
export const typeWithCharset = (mimeType: string, label: string | undefined): string =>
  label !== undefined && isText(mimeType) ? `${mimeType}; charset=${label}` : mimeType;

/** In lower case, without the dot; "" for names such as `README`, `.gitignore` and `end.`. */
function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** The type and subtype in lower case, without parameters; undefined: malformed. */
export function bareType(declared: string): string | undefined {
  const end = declared.indexOf(";");
  const type = (end < 0 ? declared : declared.slice(0, end)).trim().toLowerCase();
  return TYPE.test(type) ? type : undefined;
}
