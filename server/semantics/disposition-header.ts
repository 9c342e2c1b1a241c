import { tryParseName } from "../domain/names/name.ts";

/** A `Content-Disposition` that a user has set. */
export interface Disposition {
  readonly type: "inline" | "attachment";
  /** undefined: that of the file. */
  readonly filename: string | undefined;
}

const TYPE = /^(inline|attachment)/iy;
const PARAMETER =
  /[ \t]*;[ \t]*(filename\*?)=(?:"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"|([!#$%&'*+\-.^_`|~0-9A-Za-z]+))/iy;
const EXTENDED = /^utf-8'[A-Za-z0-9-]*'((?:[!#$&+\-.^_`|~0-9A-Za-z]|%[0-9A-Fa-f]{2})*)$/i;

/** Whether it is `inline` or `attachment` with at most a valid `filename` and `filename*` (RFC 6266). */
export const isDispositionHeader = (value: string): boolean =>
  parseDispositionHeader(value) !== undefined;

/** undefined: it is invalid. `filename*` takes precedence. */
export function parseDispositionHeader(value: string): Disposition | undefined {
  TYPE.lastIndex = 0;
  const type = TYPE.exec(value)?.[1]?.toLowerCase();
  if (type === undefined) return undefined;
  const names = new Map<string, string>();
  for (let position = type.length; position < value.length; position = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = position;
    const [, parameter = "", quoted, token] = PARAMETER.exec(value) ?? [];
    const filename = nameOf(parameter.toLowerCase(), quoted, token);
    if (filename === undefined || names.has(parameter.toLowerCase())) return undefined;
    names.set(parameter.toLowerCase(), filename);
  }
  return {
    type: type === "inline" ? "inline" : "attachment",
    filename: names.get("filename*") ?? names.get("filename"),
  };
}

/** undefined: it is no parameter, or no name that a file could have. */
function nameOf(
  parameter: string,
  quoted: string | undefined,
  token: string | undefined,
): string | undefined {
  if (parameter === "filename") {
    return tryParseName(quoted?.replace(/\\(.)/g, "$1") ?? token ?? "");
  }
  const encoded = parameter === "filename*" ? EXTENDED.exec(token ?? "")?.[1] : undefined;
  try {
    return encoded === undefined ? undefined : tryParseName(decodeURIComponent(encoded));
  } catch {
    return undefined;
  }
}
