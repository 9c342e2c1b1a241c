import { isUtf8 } from "node:buffer";

/**
 * What is known about the encoding of a text: a charset that the uploader declared, in lower case, or what its content
 * says. null: nobody has looked at the content yet.
 */
export type Charset = string | null;

/** The content is UTF-8. No declared charset is this text. */
export const IS_UTF8 = "+";
/** The content is not UTF-8, or says itself what it is. */
export const NOT_KNOWN = "";

/** Media types with a parameter `charset` (RFC 6657). XML as `application/xml` and JSON say it themselves. */
export const isText = (mimeType: string): boolean => mimeType.startsWith("text/");

const PARAMETER = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i;
const LABEL = /^[a-z0-9][a-z0-9._:+-]{0,39}$/;

/** The charset of a `Content-Type` of a text. null: none, or not one that a header can carry. */
export function declaredCharset(contentType: string | null | undefined): Charset {
  if (contentType == null || !isText(contentType.trimStart().toLowerCase())) return null;
  const [, quoted, plain] = PARAMETER.exec(contentType) ?? [];
  const label = (quoted ?? plain ?? "").trim().toLowerCase();
  return LABEL.test(label) ? label : null;
}

/** The value of `charset` in the `Content-Type` of a response; undefined: the content decides. */
export const charsetLabel = (charset: Charset): string | undefined =>
  charset === IS_UTF8 ? "utf-8" : charset === null || charset === NOT_KNOWN ? undefined : charset;

/** The charset that the uploader declared, as S3 gives it back. */
export const charsetGiven = (charset: Charset): string | undefined =>
  charset === IS_UTF8 ? undefined : charsetLabel(charset);

/** After a change of what the content means. */
export const withoutFound = (charset: Charset): Charset => charsetGiven(charset) ?? null;

/** Of a text, or of its start. */
export function charsetOfContent(mimeType: string, bytes: Uint8Array, isWhole: boolean): Charset {
  const sample = isWhole ? bytes : withoutCutCharacter(bytes);
  if (!isUtf8(sample) || sample.includes(0)) return NOT_KNOWN;
  const hasMark = sample[0] === 0xef && sample[1] === 0xbb && sample[2] === 0xbf;
  if (hasMark) return IS_UTF8;
  const start = Buffer.from(sample.subarray(0, 1024)).toString("latin1");
  const own = ownDeclaration(mimeType, start);
  if (own !== undefined) return /^utf-?8$/i.test(own) ? IS_UTF8 : NOT_KNOWN;
  return sample.includes(ESCAPE) && ISO_2022.test(Buffer.from(sample).toString("latin1"))
    ? NOT_KNOWN
    : IS_UTF8;
}

/** ISO 2022 switches to other character sets with bytes of ASCII. */
const ESCAPE = 0x1b;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is the character that it begins with.
const ISO_2022 = /\x1b(?:\$[@AB]|\$\([DC]|\$\)[AC]|\([IJ])/;

/** Within the first 1024 bytes, as the HTML standard has it; CSS Syntax, section 3.2; XML, section 4.3.3. */
const DECLARATIONS: readonly { readonly type: RegExp; readonly pattern: RegExp }[] = [
  { type: /html$/, pattern: /<meta[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i },
  { type: /css$/, pattern: /^@charset "([^"]*)";/ },
  { type: /html$|xml$/, pattern: /^<\?xml[^>]*?encoding\s*=\s*["']([^"']+)/ },
];

function ownDeclaration(mimeType: string, start: string): string | undefined {
  for (const { type, pattern } of DECLARATIONS) {
    const label = type.test(mimeType) ? pattern.exec(start)?.[1] : undefined;
    if (label !== undefined) return label;
  }
  return undefined;
}

/** A character of UTF-8 has at most four bytes, of which the first says how many follow. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
