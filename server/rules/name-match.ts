import { tryParseName } from "./name.ts";

/** A search for names that contain a text, regardless of case. */
export interface NameMatch {
  matches(name: string): boolean;
  /** The text in lower case, normalized like a name. */
  readonly lower: string;
  /**
   * Whether the text has no letters with case except A to Z, so that a database that lower-cases only
   * those finds the same names as `matches`.
   */
  readonly isPlain: boolean;
}

/** undefined: no name can contain the text. */
export function nameMatch(text: string): NameMatch | undefined {
  // Any part of a name is a valid name, except white space and dots.
  const normalized = tryParseName(text) ?? tryParseName(`_${text}`)?.slice(1);
  if (normalized === undefined) return undefined;
  const lower = lowerCase(normalized);
  return {
    matches: (name) => lowerCase(name).includes(lower),
    lower,
    isPlain: [...normalized].every((character) => character <= "\x7f" || !hasCase(character)),
  };
}

/** Character by character, so that neither neighbours nor the locale make a difference. */
function lowerCase(text: string): string {
  let result = "";
  for (const character of text) {
    const lower = character.toLowerCase();
    // Only İ has a longer lower-case form, which would match a plain i.
    result += lower.length > character.length ? character : lower;
  }
  return result;
}

const hasCase = (character: string): boolean =>
  character.toLowerCase() !== character || character.toUpperCase() !== character;
