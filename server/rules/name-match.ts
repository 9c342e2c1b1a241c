import { tryParseName } from "./name.ts";

/** What a search looks for: names that contain a text, in upper or lower case. */
export interface NameMatch {
  matches(name: string): boolean;
  /** The text in lower case, normalised like a name. */
  readonly lower: string;
  /**
   * Whether it has no case beyond that of A to Z, so that a database that knows no other letters
   * finds the same names as `matches`.
   */
  readonly isPlain: boolean;
}

/** undefined: no name can contain the text. */
export function nameMatch(text: string): NameMatch | undefined {
  // A part of a name is one by itself, but for white space and dots.
  const normal = tryParseName(text) ?? tryParseName(`_${text}`)?.slice(1);
  if (normal === undefined) return undefined;
  const lower = lowered(normal);
  return {
    matches: (name) => lowered(name).includes(lower),
    lower,
    isPlain: [...normal].every((character) => character <= "\x7f" || !hasCase(character)),
  };
}

/** Character by character, so that neither neighbours nor a language make a difference. */
function lowered(text: string): string {
  let result = "";
  for (const character of text) {
    const lower = character.toLowerCase();
    // Of all characters only İ has a longer one, which begins with an i that nobody wrote.
    result += lower.length > character.length ? character : lower;
  }
  return result;
}

const hasCase = (character: string): boolean =>
  character.toLowerCase() !== character || character.toUpperCase() !== character;
