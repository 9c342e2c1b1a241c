/** Compares texts by the bytes of their UTF-8, as the catalog does. `<` compares UTF-16. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

/** Surrogates come after all other code units: they are of characters above U+FFFF. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** The first text after all that begin with `prefix`; undefined: there is none. */
export function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue;
    // There are no characters from U+D800 to U+DFFF.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return undefined;
}

/**
 * Text from which on the keys come that are `text` or after it. Keys have no control characters, and
 * PostgreSQL accepts no NUL.
 */
export function lowerBound(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
  const at = text.search(/[\u0000-\u001f]/);
  return (at === -1 ? text : `${text.slice(0, at)}${FIRST}`).toWellFormed();
}

/** Less than everything that a key can have, so `${key}${FIRST}` is the first text after that key. */
export const FIRST = "\u0001";
