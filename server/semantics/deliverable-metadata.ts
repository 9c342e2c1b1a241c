import { tryParseName } from "../domain/names/name.ts";
import type { MetadataText } from "../domain/records.ts";
import { parseDispositionHeader } from "./disposition-header.ts";
import { type FileMetadata, isValidField, readMetadata } from "./file-metadata.ts";

/**
 * The metadata of a file that browsers understand. S3 clients may store any value; from those that are
 * not valid, this takes what they mean, or leaves the field out.
 */
export function readDeliverable(text: MetadataText | null): FileMetadata {
  if (text === null) return NONE;
  const stored = readMetadata(text);
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(stored)) {
    if (isValidField(name, value)) fields[name] = value;
    else if (Object.hasOwn(REPAIRS, name)) {
      const repaired = REPAIRS[name]?.(value) ?? "";
      if (isValidField(name, repaired)) fields[name] = repaired;
    }
  }
  return fields;
}

const NONE: FileMetadata = Object.freeze({});

const REPAIRS: Readonly<Record<string, (value: string) => string>> = {
  cacheControl: repairCacheControl,
  contentDisposition: repairDisposition,
  contentEncoding: repairEncoding,
};

/** Accepts semicolons between directives and spaces around `=`, and leaves out what is not a directive. */
function repairCacheControl(value: string): string {
  const directives = new Map<string, string>();
  for (const part of value.split(/[,;]/)) {
    const directive = part.trim().replace(/\s*=\s*/, "=");
    const name = directive.replace(/=.*/, "").toLowerCase();
    if (isValidField("cacheControl", directive) && !directives.has(name)) {
      directives.set(name, directive);
    }
  }
  return [...directives.values()].join(", ");
}

/**
 * Everything but `inline` is a download (RFC 6266, section 4.2). The name may lack its quotes, and other
 * parameters may be there.
 */
function repairDisposition(value: string): string {
  const type = /^\s*inline\s*(?:;|$)/i.test(value) ? "inline" : "attachment";
  const extended = /;\s*(filename\*\s*=[^;]*)/i.exec(value)?.[1];
  const named = parseDispositionHeader(`${type}; ${extended?.replace(/\s/g, "")}`);
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/i.exec(value) ?? [];
  const text = quoted?.replace(/\\(.)/g, "$1") ?? bare?.trim() ?? "";
  const filename = named?.filename ?? tryParseName(text);
  if (filename === undefined) return type;
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, hexOf);
  return `${type}; filename*=UTF-8''${encoded}`;
}

const hexOf = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;

/** `x-gzip` is `gzip` (RFC 9110, section 8.4.1.3), and `identity` is no coding. */
function repairEncoding(value: string): string {
  const codings = value.toLowerCase().split(",");
  return codings
    .map((coding) => coding.trim().replace(/^x-gzip$/, "gzip"))
    .filter((coding) => coding !== "identity" && coding !== "")
    .join(", ");
}
