import { Fault } from "../domain/faults/fault.ts";
import type { MetadataText } from "../domain/records.ts";
import { isDispositionHeader } from "./disposition-header.ts";
import { parseHttpDate } from "./etag.ts";
import { checkMetadataLimits } from "./metadata-limits.ts";

/** Metadata of a file, which is sent as response headers. The other fields have names `x-…`. */
export type FileMetadata = Readonly<Record<string, string>>;

/** Changes of metadata: null removes a field, what is left out stays. */
export type MetadataPatch = Readonly<Record<string, string | null>>;

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const QUOTED = '"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*"';
const list = (element: string): RegExp => new RegExp(`^(?:${element})(?: *, *(?:${element}))*$`);

/** RFC 9111, section 5.2. */
const CACHE_CONTROL = list(`${TOKEN}(?:=(?:${TOKEN}|${QUOTED}))?`);
const DIRECTIVES = new RegExp(`(${TOKEN})(?:=(${TOKEN}|${QUOTED}))?`, "g");
const WITH_SECONDS = new Set([
  ...["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"],
]);
/** RFC 9110, section 8.5: language tags of RFC 5646. */
const LANGUAGES = list("[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*");
/** The content codings that browsers decode. */
const ENCODINGS = list("(?:gzip|br|zstd|deflate)");
const PAIR_NAME = /^x-[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?$/;
/** Metadata that S3 clients set: any lower-case token. */
const S3_PAIR_NAME = /^x-amz-meta-[!#$%&'*+\-.^_`|~0-9a-z]{1,128}$/;
/** Printable ASCII without a space at either end. */
const PAIR_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

interface Rule {
  readonly accepts: (value: string) => boolean;
  /** Completes "must be". */
  readonly allowed: string;
}

/** By the name of the field, in the order in which they are stored. */
const RULES: Readonly<Record<string, Rule>> = {
  cacheControl: {
    accepts: isCacheControl,
    allowed: "a list of cache directives, such as `public, max-age=31536000, immutable`",
  },
  contentDisposition: {
    accepts: isDispositionHeader,
    allowed: '`inline` or `attachment`, with a valid name in `; filename="…"` if you like',
  },
  contentLanguage: {
    accepts: (value) => LANGUAGES.test(value),
    allowed: "a list of language tags, such as `de-CH, en`",
  },
  contentEncoding: {
    accepts: (value) => ENCODINGS.test(value),
    allowed: "a list of `gzip`, `br`, `zstd` and `deflate`",
  },
  expires: {
    accepts: (value) => parseHttpDate(value) !== undefined,
    allowed: "an HTTP date, such as `Wed, 01 Dec 2027 16:00:00 GMT`",
  },
};

const PAIR: Rule = {
  accepts: (value) => PAIR_VALUE.test(value),
  allowed: "printable ASCII characters, without a space at either end",
};

const S3_PAIR: Rule = {
  accepts: (value) => value === "" || PAIR_VALUE.test(value),
  allowed: "printable ASCII characters, without a space at either end, or empty",
};

/** undefined: there is no such field. */
function ruleOf(name: string): Rule | undefined {
  if (Object.hasOwn(RULES, name)) return RULES[name];
  if (S3_PAIR_NAME.test(name)) return S3_PAIR;
  return PAIR_NAME.test(name) ? PAIR : undefined;
}

function isCacheControl(value: string): boolean {
  if (!CACHE_CONTROL.test(value)) return false;
  const seen = new Set<string>();
  for (const [, directive = "", argument = ""] of value.matchAll(DIRECTIVES)) {
    const name = directive.toLowerCase();
    if (seen.has(name) || (WITH_SECONDS.has(name) && !/^\d{1,10}$/.test(argument))) return false;
    seen.add(name);
  }
  return true;
}

/** Whether S3 clients may set a pair of this name. */
export const isS3PairName = (name: string): boolean => S3_PAIR_NAME.test(name);

/** Whether a field has a value that clients understand. S3 clients may have set another one. */
export const isValidField = (name: string, value: string): boolean =>
  ruleOf(name)?.accepts(value) === true;

/** Fault "invalid" names the first field that is unknown or has an invalid value. */
export function parseMetadata(fields: object): MetadataPatch {
  const parsed: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(fields)) {
    const rule = ruleOf(name);
    if (rule === undefined) throw unknownField(name);
    if (value !== null && (typeof value !== "string" || !rule.accepts(value))) {
      throw new Fault("invalid", `\`metadata.${name}\` must be ${rule.allowed}, or null.`);
    }
    parsed[name] = value;
  }
  return parsed;
}

function unknownField(name: string): Fault {
  const known = Object.keys(RULES).map((field) => `\`${field}\``);
  const shown = name.length > 64 ? `${name.slice(0, 64).toWellFormed()}…` : name;
  return new Fault(
    "invalid",
    `\`metadata.${shown}\` is unknown: the fields are ${known.join(", ")} and \`x-\` with 1 to 62 lower-case letters, digits and inner hyphens.`,
  );
}

/** null: no field is left. Fault "invalid": the result is too long, or has too many pairs. */
export function changeMetadata(
  current: MetadataText | null,
  patch: MetadataPatch,
): MetadataText | null {
  const result = applyPatch(current, patch);
  const text = writeMetadata(result);
  if (text !== null) checkMetadataLimits(result, text);
  return text;
}

function applyPatch(current: MetadataText | null, patch: MetadataPatch): FileMetadata {
  const fields = { ...readMetadata(current), ...patch };
  const order = [...Object.keys(RULES), ...Object.keys(fields).sort()];
  const result: Record<string, string> = {};
  for (const name of order) {
    const value = fields[name];
    if (typeof value === "string") result[name] = value;
  }
  return result;
}

const writeMetadata = (metadata: FileMetadata): MetadataText | null =>
  Object.keys(metadata).length === 0 ? null : (JSON.stringify(metadata) as MetadataText);

/**
 * The metadata of a file that gets other content: a content coding describes the content that is
 * gone.
 */
export const metadataOfNewContent = (current: MetadataText | null): MetadataText | null =>
  writeMetadata(applyPatch(current, { contentEncoding: null }));

/**
 * The metadata of a file that gets back a content that it had with the metadata `earlier`: only the
 * content coding belongs to the content. Fault "invalid": the result is too long.
 */
export function metadataOfRestoredContent(
  current: MetadataText | null,
  earlier: MetadataText | null,
): MetadataText | null {
  const { contentEncoding = null } = readMetadata(earlier);
  return contentEncoding === null
    ? metadataOfNewContent(current)
    : changeMetadata(current, { contentEncoding });
}

/**
 * Whether caches must fetch the file again: a 304 cannot take a header back, and with another content
 * coding the stored content means something else. Changes of other headers come with a 304.
 */
export function needsNewValidators(
  before: MetadataText | null,
  after: MetadataText | null,
): boolean {
  const [old, current] = [readMetadata(before), readMetadata(after)];
  return (
    old.contentEncoding !== current.contentEncoding ||
    Object.keys(old).some((name) => name !== "cacheControl" && !Object.hasOwn(current, name))
  );
}

/** As it is stored; hosting sends `readDeliverable`. null: no metadata. */
export const readMetadata = (text: MetadataText | null): FileMetadata =>
  text === null ? {} : JSON.parse(text);
