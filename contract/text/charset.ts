/**
 * The encoding of a text: a charset that the uploader declared, in lower case, or what its content says, as
 * `IS_UTF8` or `NOT_KNOWN`. null: the content has not been looked at yet.
 */
export type Charset = string | null;

/** The content is UTF-8. No declared charset is this text. */
export const IS_UTF8 = "+";
/** The content is not UTF-8, or names its charset itself. */
export const NOT_KNOWN = "";

/** The older names of `text/javascript`, which have a parameter `charset` too (RFC 9239, section 6). */
const JAVASCRIPT = /^application\/(?:x-)?(?:java|ecma)script(?=$|[\s;])/;

/** Media types with a parameter `charset` (RFC 6657). XML as `application/xml` and JSON say it themselves. */
export const isText = (mimeType: string): boolean =>
  mimeType.startsWith("text/") || JAVASCRIPT.test(mimeType);

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

/** The charset after a change of the media type or the coding: only a declared charset still holds. */
export const withoutFound = (charset: Charset): Charset => charsetGiven(charset) ?? null;

/** The charset of a text, or of its start. */
export function charsetOfContent(mimeType: string, bytes: Uint8Array, isWhole: boolean): Charset {
  const text = decodeUtf8(bytes, isWhole);
  if (text === undefined || text.includes("\0")) return NOT_KNOWN;
  if (text.startsWith("\ufeff")) return IS_UTF8;
  const own = ownDeclaration(mimeType, text.slice(0, 1024));
  if (own !== undefined) return /^utf-?8$/i.test(own) ? IS_UTF8 : NOT_KNOWN;
  const escapes = text.split("\u001b").slice(1);
  return escapes.some((after) => ISO_2022.test(after)) ? NOT_KNOWN : IS_UTF8;
}

/** Matches the text after an escape with which ISO 2022 switches to a character set whose bytes look like ASCII. */
const ISO_2022 = /^(?:\$[@AB]|\$\([DC]|\$\)[AC]|\([IJ])/;

/**
 * Finds how a text names its charset in its first 1024 bytes, the limit of the HTML standard; CSS Syntax, section 3.2;
 * XML, section 4.3.3.
 */
const DECLARATIONS: readonly {
  readonly type: RegExp;
  readonly find: (start: string) => string | undefined;
}[] = [
  { type: /html$/, find: charsetOfMeta },
  { type: /css$/, find: (start) => /^@charset "([^"]*)";/.exec(start)?.[1] },
  {
    type: /html$|xml$/,
    find: (start) => /^<\?xml[^>]*?encoding\s*=\s*["']([^"']+)/.exec(start)?.[1],
  },
];

/** The charset that a text names itself in its start. */
export function ownDeclaration(mimeType: string, start: string): string | undefined {
  for (const { type, find } of DECLARATIONS) {
    const label = type.test(mimeType) ? find(start) : undefined;
    if (label !== undefined) return label;
  }
  return undefined;
}

const COMMENT = /<!--(?:-?>|[\s\S]*?(?:-->|$))/g;
const META = /<meta[\s/]((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi;
const ATTRIBUTE = /([^\s/=>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/g;

/** By the rules of browsers: a `meta` in a comment, and a description that mentions a charset, declare nothing. */
function charsetOfMeta(start: string): string | undefined {
  for (const [, tag = ""] of start.replaceAll(COMMENT, "").matchAll(META)) {
    const attributes = new Map<string, string>();
    for (const [, name = "", ...values] of tag.matchAll(ATTRIBUTE)) {
      const key = name.toLowerCase();
      if (!attributes.has(key))
        attributes.set(key, values.find((value) => value !== undefined) ?? "");
    }
    const isType = attributes.get("http-equiv")?.trim().toLowerCase() === "content-type";
    const content = isType ? attributes.get("content") : undefined;
    const inContent = /charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(content ?? "")?.[1];
    const label = (attributes.get("charset")?.trim() || undefined) ?? inContent;
    if (label !== undefined) return label;
  }
  return undefined;
}

/** undefined: it is not UTF-8. A character that the end of a sample cuts is left out. */
function decodeUtf8(bytes: Uint8Array, isWhole: boolean): string | undefined {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decoder.decode(bytes, { stream: !isWhole });
  } catch {
    return undefined;
  }
}
