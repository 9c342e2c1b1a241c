import { foldText } from "../../../contract/text/fold-text.ts";
import { tryParseName } from "./name.ts";

/** A search for names, regardless of case and accents. */
export interface NameMatch {
  matches(name: string): boolean;
  /** Lower-cased names of ASCII characters that match are like this SQL pattern, with `\\` as the escape. */
  readonly likePattern: string;
  /** Whether names of ASCII characters can match. */
  readonly mayBeAscii: boolean;
}

/**
 * Whether a text contains this one, regardless of case and accents; with a `*` in it, whether the whole
 * text is like it, where each `*` stands for any text.
 */
export function textMatch(text: string): (value: string) => boolean {
  const folded = foldText(text);
  const parts = folded.split("*");
  return parts.length > 1
    ? (value) => matchesParts(foldText(value), parts)
    : (value) => foldText(value).includes(folded);
}

/**
 * Names that contain the text; if it has a `*`, whole names in which each `*` stands for any text.
 * undefined: no name can match.
 */
export function nameMatch(text: string): NameMatch | undefined {
  // Any part of a name is a valid name, except white space and dots.
  const normalized = tryParseName(text) ?? tryParseName(`_${text}`)?.slice(1);
  if (normalized === undefined) return undefined;
  const folded = foldText(normalized);
  const parts = folded.split("*");
  const like = parts.map((part) => part.replace(/[\\%_]/g, "\\$&")).join("%");
  return {
    matches: textMatch(normalized),
    likePattern: parts.length > 1 ? like : `%${like}%`,
    mayBeAscii: /^[\0-\x7f]*$/.test(folded),
  };
}

/** Whether the name begins with the first part, ends with the last, and has the others between them, in order. */
function matchesParts(name: string, parts: readonly string[]): boolean {
  const [first = "", ...others] = parts;
  const last = others.pop() ?? "";
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
